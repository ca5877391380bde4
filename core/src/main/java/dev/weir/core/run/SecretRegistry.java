package dev.weir.core.run;

import dev.weir.core.command.SecretControl;
import dev.weir.core.state.Move;
import dev.weir.core.state.SecretRow;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The names and versions of an organisation's secrets. */
final class SecretRegistry implements SecretControl {
    private final MoveCollector moves;
    private final SortedMap<String, SecretRow> secrets = new TreeMap<>();

    SecretRegistry(MoveCollector moves) {
        this.moves = moves;
    }

    void restore(Map<String, SecretRow> rows) {
        secrets.putAll(rows);
    }

    SortedMap<String, SecretRow> all() {
        return secrets;
    }

    @Override
    public Optional<SecretRow> findSecret(String name) {
        return Optional.ofNullable(secrets.get(name));
    }

    @Override
    public int secretCount() {
        return secrets.size();
    }

    @Override
    public void store(SecretRow secret, String sealed, long now) {
        secrets.put(secret.name(), secret);
        moves.add(new Move.SecretStored(secret, sealed, now));
    }

    @Override
    public void delete(String name, long now) {
        secrets.remove(name);
        moves.add(new Move.SecretDeleted(name, now));
    }
}
