/** Shows the name of a command as words: `pin_key` is "pin key". */
export function actionWords(action: string): string {
  return action.replaceAll("_", " ");
}

/** Commands that stop, remove or refuse something; the audit marks them. */
const STRONG = /^(delete|revoke|cancel|suspend|discard|abandon|archive)/;

export function isStrong(action: string): boolean {
  return STRONG.test(action);
}

/** The commands that leave an entry in the audit of an organisation. */
export const AUDITED_ACTIONS = [
  "abandon_step",
  "amend_input",
  "amend_output",
  "approve_step",
  "cancel_run",
  "configure_run_limits",
  "create_token",
  "delete_run",
  "delete_secret",
  "discard_dead_letter",
  "extend_deadline",
  "override_run",
  "pause_key",
  "pause_run",
  "pin_key",
  "provide_input",
  "redrive_dead_letter",
  "register_workflow",
  "reset_rate",
  "resume_key",
  "resume_organisation",
  "resume_run",
  "retry_run",
  "revoke_approval",
  "revoke_token",
  "rotate_token",
  "set_secret",
  "set_workflow_availability",
  "skip_step",
  "suspend_organisation",
  "unpin_key",
];

/** The commands that leave an entry in the audit of the node's administration. */
export const ADMINISTRATION_ACTIONS = [
  "change_quota",
  "create_organisation",
  "create_reader",
  "create_starter",
  "create_token",
  "delete_organisation",
  "rename_organisation",
  "resume_organisation",
  "suspend_organisation",
];
