#!/bin/sh
# Runs the example of seed 4: two organisations, limits of 2 runs at once and 5 a minute, 8 starts, a burst of events, a cascade,
# and two crashes in between.
. "$(dirname -- "$0")/../lib.sh"

# as TOKEN COMMAND...: sends the requests of a command with another token.
as() { (token=$1 && shift && "$@"); }
status() { request -o /dev/null -w '%{http_code}' -X "$1" "$url$2" -d "$3"; }
created_token() { sed 's/.*"token":"\([^"{]*\)".*/\1/'; }

# values FIELD...: prints the values of the fields in a response, in the order of the response, on one line.
values() {
    names=$(echo "$*" | tr ' ' '|')
    grep -oE "\"($names)\":(\"[^\"]*\"|[^],}]*)" | sed 's/^"[a-z_]*"://; s/"//g' | paste -sd' ' -
}
between() { awk -v n="$1" -v low="$2" -v high="$3" 'BEGIN { print (n >= low && n <= high) ? "yes" : n }'; }

north() { as "$north" "$@"; }
south() { as "$south" "$@"; }
runs() { north get "/v1/runs?workflow=$1&state=$2&limit=200" | count '"id":'; }
usage() { north get /v1/org/snapshot | values concurrent_runs held started deferred; }
evaluation() {
    north post /v1/org/evaluate '{"workflow_definition_id":"import","automation_rule_id":"file","organization_id":"north"}'
}
notices() { north get "/v1/notices?subject=org_runs&limit=200" | grep -o '"kind":"[a-z_]*","severity":"[a-z]*"' | values kind severity; }

# The stored times of the next check, and how many of them are from one to two seconds after the run was accepted.
held_until() { sql "select string_agg(run_id || ' ' || rate_limit_hold_until, ', ' order by run_id) from live_runs"; }
with_jitter() {
    sql "select count(distinct rate_limit_hold_until) from live_runs where organisation = 'north'
         and rate_limit_hold_until - accepted_at between interval '1 second' and interval '2.5 seconds'"
}

# reader ORGANISATION QUERY: runs a query as the database login of an organisation, with psql if it is installed.
reader() {
    login=$(values login < "$dir/$1")
    password=$(values password < "$dir/$1")
    if command -v psql > /dev/null; then
        port=$(sed -n 4p "$dir/data/data/postmaster.pid" | tr -d ' ')
        PGPASSWORD=$password psql -XAt -F ' ' "postgresql://$login@127.0.0.1:$port/weir" -c "$2" 2>&1 || true
    else
        sql "$2" "$login" "$password" 2>&1 || true
    fi
}
counters="select organisation, concurrent_runs, held, started, deferred from weir.execution_rate_counters"

# work_off: claims and completes what the limits let start, until nothing more comes. It prints the attempts of the claims.
work_off() {
    while claims=$(north post /v1/claims '{"modules":["seed4.import"],"limit":9,"wait":"2s"}') && [ "$(echo "$claims" | count '"fence"')" -gt 0 ]; do
        echo "$claims" | values attempt
        updates=$(echo "$claims" | grep -o '"run":"[^"]*","step":"[^"]*","module":"[^"]*","fence":[0-9]*' |
            sed 's/,"module":"[^"]*"//; s/^/{/; s/$/,"result":"completed"}/' | paste -sd, -)
        north post /v1/updates "{\"updates\":[$updates]}" > /dev/null
    done
}

up
north=$(post /v1/organisations '{"name":"north"}' | created_token)
south=$(post /v1/organisations '{"name":"south"}' | created_token)
viewer=$(north post /v1/tokens '{"name":"dashboard","role":"viewer"}' | created_token)
post /v1/organisations/north/reader '{}' > "$dir/north"
post /v1/organisations/south/reader '{}' > "$dir/south"
north put /v1/workflows/import '{"workflow":"import","triggers":[{"id":"file","event":"file.arrived"}],
    "steps":[{"id":"load","uses":"seed4.import"}]}' > /dev/null
north put /v1/workflows/sync '{"workflow":"sync","triggers":[{"id":"changed","event":"order.changed",
    "debounce":{"key":"${{ event.data.order }}","period":"3s","max_wait":"1m"}}]}' > /dev/null
north put /v1/workflows/echo '{"workflow":"echo","triggers":[{"id":"heard","event":"said"}],
    "steps":[{"id":"say","emit":{"event":"said"}}]}' > /dev/null

limits='{"max_concurrent_runs":2,"runs_per_minute":5,"max_cascade_depth":4,"reason":"small database"}'
check "a viewer who changes a limit gets 403" 403 "$(as "$viewer" status PATCH /v1/org/limits "$limits")"
check "the organisation gets its limits" "1 2 5" \
    "$(north patch /v1/org/limits "$limits" | values version effective | cut -d' ' -f1-3)"
for n in 1 2 3 4 5 6 7 8; do north post /v1/runs "{\"workflow\":\"import\",\"id\":\"import-$n\"}" > /dev/null; done
check "eight starts: two run" 2 "$(runs import running)"
check "six remain queued, none is dropped" 6 "$(runs import queued)"
check "not counted as running, and deferred once each" "2 6 2 6" "$(usage)"

check "evaluate: not allowed" false "$(evaluation | values allowed)"
check "evaluate: defer_seconds, with jitter" yes "$(between "$(evaluation | values defer_seconds)" 1 2)"
check "evaluate: reason" "the limit on runs of the organisation is full (2 of 2)" "$(evaluation | sed 's/.*"reason":"\([^"]*\)","why".*/\1/')"
check "evaluate: another organization_id is refused" 404 \
    "$(north status POST /v1/org/evaluate '{"workflow":"import","organization_id":"south"}')"
check "rate_limit_hold_until is set with jitter" 6 "$(with_jitter)"
check "attempts are unchanged" 0 "$(north get /v1/runs/import-8 | values attempts)"

check "the other organisation sees no run" 404 "$(south status GET /v1/runs/import-1 '')"
check "and no usage" "0 0 0 0" "$(south get /v1/org/snapshot | values concurrent_runs held started deferred)"
check "members read the counters in SQL" "north 2 6 2 6" "$(reader north "$counters")"
check "and the configured limits" "organisation 2 5 small database" \
    "$(reader north "select scope, max_concurrent_runs, runs_per_minute, reason from weir.rate_limit_configs")"
check "the login of the other organisation reads its own row only" "south 0 0 0 0" "$(reader south "$counters")"
check "and no limits" "" "$(reader south "select scope from weir.rate_limit_configs")"
check "only the worker writes" 1 \
    "$(reader north "update weir.rate_limit_configs set runs_per_minute = 900" | count 'permission denied')"

before=$(held_until)
crash_and_restart
check "after kill -9, the counts are the same" "2 6 2 6" "$(usage)"
check "after kill -9, rate_limit_hold_until is the same" "$before" "$(held_until)"
check "after kill -9, the SQL view is the same" "north 2 6 2 6" "$(reader north "$counters")"

check "the two end, and the next start until five have: first attempts" "1 1 1 1 1" "$(work_off | paste -sd' ' -)"
check "three wait for the minute" "0 3 5 6" "$(usage)"
check "evaluate: the limit per minute, and when" yes "$(between "$(evaluation | values defer_seconds)" 1 61)"
check "80 % and limit hit: one warning and one critical notice each" \
    "rate critical rate warning capacity critical capacity warning" "$(notices)"
check "a raised limit starts the waiting runs" 2 \
    "$(north patch /v1/org/limits '{"runs_per_minute":null,"reason":"catch up"}' > /dev/null && runs import running)"
check "everything runs in the end" "1 1 1" "$(work_off | paste -sd' ' -)"
check "eight starts, each counted once" "0 0 8 6" "$(usage)"
check "evaluate: allowed" true "$(evaluation | values allowed)"

events=$(for n in 1 2 3 4 5 6 7 8 9 10; do
    echo "{\"id\":\"change-$n\",\"event\":\"order.changed\",\"data\":{\"order\":\"A\",\"n\":$n}}"
done | paste -sd, -)
north post /v1/events/batch "{\"events\":[$events]}" > /dev/null
crash_and_restart
check "a burst of ten events, with kill -9 in it: one run" 1 "$(await 1 runs sync completed)"
check "with the last event" 10 "$(north get /v1/runs/sync:changed:change-10 | values n)"
check "the other nine are merged into it" "9 9" \
    "$(north get /v1/org/snapshot | values debounced) $(north get '/v1/events?outcome=debounced' | count '"outcome":"merged","run":"sync:changed:change-10"')"

north post /v1/events '{"id":"first","event":"said"}' > /dev/null
letter() { north get "/v1/dead-letters?reason=cascade_detected"; }
letters() { letter | count '"reason":"cascade_detected"'; }
check "a workflow that emits its own trigger ends as cascade_detected" 1 \
    "$(await 1 letters)"
check "with its whole chain" "event run event run event run event" "$(letter | grep -o '"chain":.*' | values type)"
check "counted, and never deferred" "6 1" "$(north get /v1/org/snapshot | values deferred cascade_detected)"
check "the other organisation has no dead letter and no notice" "0 0" \
    "$(south get /v1/dead-letters | count '"id"') $(south get /v1/notices | count '"id"')"

check "the notices were issued once" "rate critical rate warning capacity critical capacity warning" "$(notices)"
check "the audit trail says who changed what, and why" "first catch up first small database" \
    "$(north get '/v1/audit?target=organisation' | values actor reason)"
check "nobody rewrote it" true "$(north get /v1/audit/verify | values intact)"
check "the administrator sets the quota, a member may not" "100 403" \
    "$(put /v1/organisations/north/quota '{"limit":100}' | values limit) $(north status PUT /v1/org/quota '{"limit":9}')"
quota=$(north get '/v1/org/quota?resource_type=workflow_executions')
check "next to the limits: remaining, and reset_at in the next month" yes \
    "$(echo "$quota" | grep -q '"reset_at":"20[0-9-]*-01T00:00:00Z"' && between "$(echo "$quota" | values remaining)" 80 91)"
finish
