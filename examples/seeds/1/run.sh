#!/bin/sh
# Runs the example of seed 1: 5 items, 3 at a time, completed one by one; the successor runs once.
. "$(dirname -- "$0")/../lib.sh"

# Prints in_flight, requested and siblings_remaining of the fan-out.
window() {
    get /v1/runs/five | sed 's/.*"items":{"total":\([0-9]*\),"requested":\([0-9]*\),"in_flight":\([0-9]*\).*"free_slots":\([0-9]*\),"siblings_remaining":\([0-9]*\)}.*/in_flight=\3 requested=\2 siblings_remaining=\5/'
}
claim() { post /v1/claims "{\"modules\":[\"seed1.item\"],\"limit\":9,\"lease\":\"10m\",\"wait\":\"$1\"}"; }
items() { claimed | sed 's/.*"item":\([0-9]*\).*/\1/' | paste -sd' ' -; }

up
put /v1/workflows/five '{"workflow":"five","steps":[
    {"id":"each","uses":"seed1.item","with_items":[10,11,12,13,14],"concurrency":3,"with":{"n":"${{ item }}"}},
    {"id":"after","needs":["each"],"uses":"seed1.after"}]}' > /dev/null
post /v1/runs '{"workflow":"five","id":"five"}' > /dev/null

rows=$(get /v1/runs/five/steps/each/items)
check "create items 0-4 in the database, inputs rendered" 5 "$(echo "$rows" | count '"input":{"n":1[0-4]}')"
first=$(claim 20s)
check "publish items 0, 1, 2" "0 1 2" "$(echo "$first" | items)"
check "items 3, 4 stay at requested" 2 "$(get /v1/runs/five/steps/each/items | count '"state":"requested"')"
check "SQL shows items 3, 4 as requested" "3 4" \
    "$(sql "select string_agg(item_index::text, ' ' order by item_index) from live_steps where run_id = 'five' and state = 'requested'")"

# release ITEM NEXT EXPECTED WAIT: completes an item, then checks which item starts and the state of the window.
held=$first
release() {
    one=$(echo "$held" | claimed | grep "\"item\":$1,")
    echo "$one" | report five completed > /dev/null
    given=$(claim "$4")
    check "item $1 done: item ${2:-none} starts" "$2" "$(echo "$given" | items)"
    held="$held
$given"
    check "item $1 done: $3" "$3" "$(window)"
}
release 0 3 "in_flight=3 requested=1 siblings_remaining=4" 20s
release 1 4 "in_flight=3 requested=0 siblings_remaining=3" 20s
release 2 "" "in_flight=2 requested=0 siblings_remaining=2" 1s
release 3 "" "in_flight=1 requested=0 siblings_remaining=1" 1s
check "the successor does not start before the last item has ended" 0 \
    "$(post /v1/claims '{"modules":["seed1.after"],"limit":9}' | claimed | wc -l | tr -d ' ')"
last=$(echo "$held" | claimed | grep '"item":4,')
echo "$last" | report five completed > /dev/null
after=$(post /v1/claims '{"modules":["seed1.after"],"limit":9,"wait":"20s"}')
check "item 4 done: advance to the successor" 1 "$(echo "$after" | claimed | wc -l | tr -d ' ')"
check "the same report again is a no-op" replayed \
    "$(echo "$last" | report five completed | sed 's/.*"outcome":"\([a-z_]*\)".*/\1/')"
check "the successor starts once" 0 \
    "$(post /v1/claims '{"modules":["seed1.after"],"limit":9,"wait":"1s"}' | claimed | wc -l | tr -d ' ')"
echo "$after" | report five completed > /dev/null
check "the run completes" completed "$(get /v1/runs/five | sed 's/.*"version":1,"state":"\([a-z]*\)".*/\1/')"
finish
