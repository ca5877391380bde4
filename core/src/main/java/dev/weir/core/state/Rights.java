package dev.weir.core.state;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The rights of a token.
 *
 * @param scopes additions to the role
 * @param administrator true if the token may also administer the node, in addition to its role in the organisation
 */
public record Rights(Role role, Set<TokenScope> scopes, boolean administrator) {
    /** The rights of the first token of a node. */
    public static final Rights ALL = new Rights(Role.ADMIN, Set.of(), true);

    public Rights {
        scopes = Collections.unmodifiableSet(new TreeSet<>(scopes));
    }

    public static Rights of(Role role) {
        return new Rights(role, Set.of(), false);
    }

    public boolean permits(Permission permission) {
        return permission == Permission.ADMINISTER
                ? administrator
                : role.permissions().contains(permission)
                        || scopes.stream().anyMatch(scope -> scope.permissions().contains(permission));
    }

    /** True if these rights include all of the others. */
    public boolean cover(Rights others) {
        Set<Permission> own = permissions();
        return own.containsAll(others.permissions());
    }

    private Set<Permission> permissions() {
        Set<Permission> all = EnumSet.noneOf(Permission.class);
        for (Permission permission : Permission.values()) {
            if (permits(permission)) {
                all.add(permission);
            }
        }
        return all;
    }

    /** Describes the rights for people. */
    public String describe() {
        String added = scopes.stream().map(scope -> " + " + scope.word()).collect(Collectors.joining());
        return role.word() + added + (administrator ? " + administrator" : "");
    }
}
