#!/bin/sh
# Runs the example of seed 2: slots, an exclusive module, racing claimers, a chosen module, needs-input, an override.
. "$(dirname -- "$0")/../lib.sh"

# The worker declares four slots for the reviews, as module.Info.Concurrency does.
reviews='{"id":"parallel-reviews","name":"Parallel Reviews","version":"1.0.0","concurrency":{"slots":4,"exclusive":false}}'
docs='"anchor-docs"'
claim() { post /v1/claims "{\"run\":\"work\",\"limit\":9,\"lease\":\"10m\",$1}"; }
number() { claimed | wc -l | tr -d ' '; }
step() { claimed | grep "\"step\":\"$1\""; }

up
put /v1/workflows/commission-work '{"id":"commission-work","runtime":{"max_parallel":3},"modules":[
    {"id":"docs-1","module":"anchor-docs"},{"id":"docs-2","module":"anchor-docs"},{"id":"docs-3","module":"anchor-docs"},
    {"id":"docs-4","module":"anchor-docs"},{"id":"docs-5","module":"anchor-docs"},
    {"id":"reviews","module":"parallel-reviews"},{"id":"publish","module":"publish","exclusive":true}]}' > /dev/null
post /v1/runs '{"workflow":"commission-work","id":"work"}' > /dev/null

claim "\"modules\":[$docs]" > "$dir/one" &
one=$!
claim "\"modules\":[$docs]" > "$dir/two"
wait "$one"
both=$(cat "$dir/one"; echo; cat "$dir/two")
check "two claimers that race get three slots together" 3 "$(echo "$both" | number)"
check "and no module twice" 3 "$(echo "$both" | claimed | sed 's/.*"step":"\([^"]*\)".*/\1/' | sort -u | wc -l | tr -d ' ')"
check "the claim returns the updated engine state" 3 \
    "$(cat "$dir/one" "$dir/two" | grep -o '"running_steps":\[[^]]*\]' | sort | tail -1 | count '"step"')"
check "a chosen module honours the central constraints" 0 "$(claim '"module_ids":["docs-5"]' | number)"
check "an exclusive module does not start beside others" 0 "$(claim '"modules":["publish"]' | number)"

first=$(echo "$both" | claimed | head -1)
check "needs-input is recorded" applied \
    "$(echo "$first" | report work needs-input | sed 's/.*"outcome":"\([a-z_]*\)".*/\1/')"
check "needs-input remains in the running set" 3 "$(in_flight work)"
check "and keeps its slot" 0 "$(claim '"module_ids":["docs-5"]' | number)"
echo "$first" | report work completed > /dev/null
chosen=$(claim '"module_ids":["docs-5"]')
check "completed releases the slot: the chosen module runs" 1 "$(echo "$chosen" | number)"
echo "$both" | claimed | tail -2 | report work no-op > /dev/null
echo "$chosen" | report work completed > /dev/null

check "a module of four slots does not fit into three" 0 "$(claim "\"modules\":[$reviews]" | number)"
check "its reason is over_capacity" over_capacity \
    "$(get /v1/runs/work/steps/reviews/why | sed 's/.*"reasons":\[{"reason":"\([a-z_]*\)".*/\1/')"
patch /v1/runs/work/overrides '{"max_parallel":4,"for":"1m"}' > /dev/null
wide=$(claim "\"modules\":[$reviews]")
check "with max_parallel overridden to 4 for a minute it runs" 1 "$(echo "$wide" | number)"
check "and occupies all four slots" 0 "$(claim "\"modules\":[$docs]" | number)"
echo "$wide" | report work completed > /dev/null
patch /v1/runs/work/overrides '{"max_parallel":null}' > /dev/null

alone=$(claim '"modules":["publish"]')
check "the exclusive module runs" 1 "$(echo "$alone" | number)"
check "nothing else runs while it is active, even if slots remain" 0 "$(claim "\"modules\":[$docs]" | number)"
echo "$alone" | report work completed > /dev/null
rest=$(claim "\"modules\":[$docs]")
echo "$rest" | report work completed > /dev/null
check "the run completes" completed "$(get /v1/runs/work | sed 's/.*"version":1,"state":"\([a-z]*\)".*/\1/')"
finish
