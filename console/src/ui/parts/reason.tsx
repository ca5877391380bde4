import type { Schemas } from "../api/client";
import { isLimit, limitKind, limitLink, runLink, unitName } from "../words/limits";
import { LimitKindTag } from "./bars";
import { At, Lasting } from "./text";

type Reason = Schemas["Reason"];

const HOLDERS_SHOWN = 5;

/** Why a step or run waits, in one line, with a link to the limit. */
export function ReasonLine({ reason, workflow }: { reason: Reason; workflow?: string }) {
  const words = reason.message;
  if (!isLimit(reason)) {
    return <span>{words}</span>;
  }
  const link = limitLink(reason.limit, workflow);
  return (
    <span class="reason">
      <LimitKindTag kind={limitKind(reason.limit)} name="" />
      {link ? <a href={link}>{words}</a> : words}
    </span>
  );
}

/** Why a step or run waits: the limit, the position, since when, until when, and who holds it. */
export function ReasonDetail({ reason, workflow }: { reason: Reason; workflow?: string }) {
  const limit = reason.limit;
  return (
    <li class="reason-detail">
      <p>
        <ReasonLine reason={reason} {...(workflow === undefined ? {} : { workflow })} />
      </p>
      <p class="soft small">
        {limit?.position !== undefined && (
          <>
            position {limit.position}
            {limit.position_or_more ? " or more" : ""}
            {reason.since && ", "}
          </>
        )}
        {reason.since && (
          <>
            for <Lasting since={reason.since} />
          </>
        )}
        {reason.expected_at && (
          <>
            , expected {reason.estimate ? "about " : ""}
            <At at={reason.expected_at} />
          </>
        )}
      </p>
      {limit?.holders && limit.holders.length > 0 && (
        <p class="small">
          held by{" "}
          {limit.holders.slice(0, HOLDERS_SHOWN).map((holder, index) => (
            <span key={index}>
              {index > 0 && ", "}
              <a class="mono" href={runLink(holder.run, holder.step, holder.item)}>
                {unitName(holder)}
              </a>
            </span>
          ))}
          {limit.holders.length > HOLDERS_SHOWN && ` and ${limit.holders.length - HOLDERS_SHOWN} more`}
        </p>
      )}
    </li>
  );
}
