package dev.weir.core.admission;

import java.util.List;

/**
 * The overuse of a part of the flow-control keys.
 *
 * @param checked the number of keys in this part
 * @param capacities keys whose capacity is overused
 * @param rates keys whose rate is overused
 * @param end the position at which the next slice begins; {@link KeySlice#END} if there is none
 */
public record OveruseSlice(int checked, List<Overuse> capacities, List<Overuse> rates, long end) {}
