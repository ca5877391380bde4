package dev.weir.server.http;

import dev.weir.api.Problem;
import dev.weir.core.state.Permission;
import dev.weir.core.state.Rights;
import dev.weir.core.state.Role;
import dev.weir.core.state.TokenScope;
import dev.weir.engine.organisations.Caller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Refuses requests for which a token has too few rights. */
public final class PermissionCheck {
    private PermissionCheck() {}

    static void require(Permission permission, Caller caller) {
        if (!caller.rights().permits(permission)) {
            throw refusal(describe(permission), caller);
        }
    }

    /** Returns the refusal of a request that needs other rights than the caller has. */
    public static RefusedRequest refusal(String needed, Caller caller) {
        return RefusedRequest.of(
                Problem.Kind.FORBIDDEN,
                "expected a token with " + needed + ", found token '" + caller.token() + "' with the role "
                        + caller.rights().describe());
    }

    /** Names the roles and scopes that have a permission. */
    public static String describe(Permission permission) {
        if (permission == Permission.ADMINISTER) {
            return "the right administrator";
        }
        List<String> roles = Arrays.stream(Role.values())
                .filter(role -> Rights.of(role).permits(permission))
                .map(Role::word)
                .toList();
        List<String> scopes = Arrays.stream(TokenScope.values())
                .filter(scope -> scope.permissions().contains(permission))
                .map(TokenScope::word)
                .toList();
        List<String> parts = new ArrayList<>();
        parts.add("the role " + String.join(" or ", roles));
        scopes.forEach(scope -> parts.add("the scope " + scope));
        return String.join(", or ", parts);
    }
}
