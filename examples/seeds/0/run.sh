#!/bin/sh
# Runs the example of seed 0: 30 steps, at most 10 in flight, 5 starts per tick, with a kill -9 in between.
. "$(dirname -- "$0")/../lib.sh"

steps=$(i=0; while [ $i -lt 30 ]; do echo "{\"id\":\"s$i\",\"uses\":\"seed0.work\"}"; i=$((i + 1)); done | paste -sd, -)
claim() { post /v1/claims "{\"modules\":[\"seed0.work\"],\"limit\":30,\"lease\":\"10m\",\"wait\":\"$1\"}"; }

up
put /v1/workflows/order_fulfillment \
    "{\"type\":\"order_fulfillment\",\"max_concurrent_steps\":10,\"max_steps_per_tick\":5,\"steps\":[$steps]}" > /dev/null
post /v1/runs '{"workflow":"order_fulfillment","id":"order"}' > /dev/null

first=$(claim 20s)
check "max_steps_per_tick: a worker that asks for 30 is given 5 in a tick" 5 "$(echo "$first" | claimed | wc -l | tr -d ' ')"
second=$(claim 20s)
check "the next tick comes by itself and starts 5 more" 5 "$(echo "$second" | claimed | wc -l | tr -d ' ')"
check "running_steps: 10 are in flight" 10 "$(in_flight order)"
check "max_concurrent_steps: no tick starts another one while 10 are in flight" 0 \
    "$(claim 3s | claimed | wc -l | tr -d ' ')"

crash_and_restart
check "after kill -9, the first look shows the right running_steps" 10 "$(in_flight order)"
check "after kill -9, nothing more is started" 0 "$(claim 3s | claimed | wc -l | tr -d ' ')"

most=10
most_a_tick=5
done=0
batch="$first$second"
while :; do
    done=$((done + $(echo "$batch" | claimed | wc -l)))
    echo "$batch" | report order completed > /dev/null
    [ "$done" -lt 30 ] || break
    batch=$(claim 20s)
    now=$(in_flight order)
    started=$(echo "$batch" | claimed | wc -l)
    if [ "$now" -gt "$most" ]; then most=$now; fi
    if [ "$started" -gt "$most_a_tick" ]; then most_a_tick=$started; fi
done
check "never more than 10 steps are in flight" "at most 10" "$(at_most "$most" 10)"
check "no tick starts more than 5" "at most 5" "$(at_most "$most_a_tick" 5)"
check "all 30 steps run, and the run completes" completed \
    "$(get /v1/runs/order | sed 's/.*"version":1,"state":"\([a-z]*\)".*/\1/')"
finish
