#!/bin/sh
# Runs the examples of seed 3: twelve triggers under the full example, a crash, lower limits for later calls, and the other two
# blocks. SEED_MINUTE_MS shortens the minute of the document.
. "$(dirname -- "$0")/../lib.sh"

minute_ms=${SEED_MINUTE_MS:-60000}
ten_seconds_ms=$((minute_ms / 6))
media="{\"key\":\"media-processing\",\"parallelism\":4,\"rate\":10,\"period\":$minute_ms}"
onboarding="{\"key\":\"user-onboarding\",\"parallelism\":5,\"rate\":20,\"period\":\"${minute_ms}ms\"}"
billing="{\"key\":\"billing-jobs\",\"rate\":2,\"period\":\"${ten_seconds_ms}ms\",\"parallelism\":1}"

"${JAVA_HOME:+$JAVA_HOME/bin/}java" "$root/examples/seeds/CalledServer.java" > "$dir/endpoint" &
server=$!
trap 'kill "$server" 2> /dev/null || true; clean_up' EXIT

# The calls that are at a door of the server now; the most that ever were there at once; all of them.
inside() { curl -sS "$endpoint/control/$1" | cut -d' ' -f1; }
most() { curl -sS "$endpoint/control/$1" | cut -d' ' -f2; }
calls() { curl -sS "$endpoint/control/$1" | cut -d' ' -f3; }
control() { curl -sS "$endpoint/control/$1/$2" > /dev/null; }

# trigger NAME NUMBER BLOCK: one limited call, as client.trigger makes it.
trigger() { post /v1/trigger "{\"url\":\"$endpoint/$1\",\"id\":\"$1-$2\",\"body\":{\"n\":$2},\"flowControl\":$3}"; }
waiting() { get "/v1/keys?key=$1" | sed 's/.*"waiting":\([0-9]*\).*/\1/'; }
cause() { get "/v1/runs/$1/steps/call/why" | sed 's/.*"cause":"\([a-z_]*\)".*/\1/'; }
completed() { get "/v1/runs?workflow=weir.trigger&state=completed&limit=200" | count "\"id\":\"$1-"; }

# starts NAME PERIOD_MS: the most calls that started in any window of that length.
starts() {
    sql "select max(n) from (select count(*) over (order by granted_at range between
         interval '$2 milliseconds' - interval '1 microsecond' preceding and current row) as n
         from history_steps where run_id like '$1-%') as windows"
}

await "http" sh -c "head -c 4 '$dir/endpoint'" > /dev/null
endpoint=$(cat "$dir/endpoint")
up_options="--allow-call 127.0.0.1"
up

for n in 1 2 3 4 5 6 7 8 9 10 11 12; do trigger media "$n" "$media" > /dev/null; done
check "twelve triggers: four run at once" 4 "$(await 4 inside media)"
check "no tokens: the others enter the waitlist" 8 "$(await 8 waiting media-processing)"
check "and can say why" capacity "$(cause media-12)"
check "a trigger that is sent again makes no second call" '"created":false' \
    "$(trigger media 1 "$media" | grep -o '"created":[a-z]*')"
control media open
tries=0
until [ "$(calls media)" -ge 10 ] || [ "$tries" -gt 900 ]; do tries=$((tries + 1)); sleep 0.2; done
crash_and_restart
check "everything is eventually executed, also after a crash" 12 "$(await 12 completed media)"
check "no more than 4 ran concurrently" "at most 4" "$(at_most "$(most media)" 4)"
check "no more than 10 started in any period" "at most 10" "$(at_most "$(starts media "$minute_ms")" 10)"

for n in 1 2 3 4 5 6; do trigger onboarding "$n" "$onboarding" > /dev/null; done
check "a block of 5: five run at once" 5 "$(await 5 inside onboarding)"
lower=$(echo "$onboarding" | sed 's/"parallelism":5/"parallelism":2/')
for n in 7 8; do trigger onboarding "$n" "$lower" > /dev/null; done
check "redeployed with 2: the new calls wait too" 3 "$(await 3 waiting user-onboarding)"
control onboarding one
check "one ends: the old call starts by its own limit of 5" 6 "$(await 6 calls onboarding)"
check "the new ones wait for theirs of 2" 2 "$(await 2 waiting user-onboarding)"
control onboarding open
check "and run when it allows them" 8 "$(await 8 completed onboarding)"
check "never more than 5 at once" "at most 5" "$(at_most "$(most onboarding)" 5)"

control billing open
for n in 1 2 3; do trigger billing "$n" "$billing" > /dev/null; done
check "both limits: three billing jobs run" 3 "$(await 3 completed billing)"
check "one at a time" "at most 1" "$(at_most "$(most billing)" 1)"
check "two in ten seconds" "at most 2" "$(at_most "$(starts billing "$ten_seconds_ms")" 2)"

control hourly open
for n in 1 2 3; do trigger hourly "$n" '{"key":"hourly","rate":2,"period":"1h"}' > /dev/null; done
check "the first two of a period start immediately" 2 "$(await 2 completed hourly)"
check "the third waits until the next window" rate "$(await rate cause hourly-3)"
post /v1/runs/hourly-3/cancel '{"reason":"an hour is long"}' > /dev/null

put /v1/workflows/report '{"workflow":"report","steps":[{"id":"call","uses":"report.make"}]}' > /dev/null
for n in 1 2; do
    post /v1/trigger "{\"workflow\":\"report\",\"id\":\"report-$n\",\"flowControl\":{\"key\":\"reports\",\"parallelism\":1}}" > /dev/null
done
check "the steps of a workflow inherit the block of its run" 1 \
    "$(post /v1/claims '{"modules":["report.make"],"limit":9}' | claimed | wc -l | tr -d ' ')"
finish
