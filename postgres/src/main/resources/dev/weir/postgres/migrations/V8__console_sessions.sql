-- People sign in to the console with an API token, or with a link that works once.

-- Sessions of the console. A session may do what its token may, and ends with it.
--   hash   of the secret in the browser's cookie
--   token  hash of the API token with which the session began
create table console_sessions (
    created_at bigint not null,
    expires_at bigint not null,
    org        int    not null,
    hash       bytea  primary key check (octet_length(hash) = 32),
    token      bytea  not null check (octet_length(token) = 32)
);

-- For the oldest sessions of a token, which end when it has too many.
create index console_sessions_token on console_sessions (token, created_at);

-- Links that begin a session with a token. Whoever uses one deletes its row, so it works once.
--   hash  of the code in the link
create table sign_in_links (
    created_at bigint not null,
    expires_at bigint not null,
    org        int    not null,
    hash       bytea  primary key check (octet_length(hash) = 32),
    token      bytea  not null check (octet_length(token) = 32)
);

create index sign_in_links_token on sign_in_links (token, created_at);

-- Requests do not read them.
do $$
declare
    name text;
begin
    foreach name in array array['console_sessions', 'sign_in_links'] loop
        execute format('grant select, insert, update, delete on weir.%I to weir_engine', name);
        execute format('create policy engine on weir.%I to weir_engine using (true) with check (true)', name);
        execute format('alter table weir.%I enable row level security', name);
        execute format('alter table weir.%I force row level security', name);
    end loop;
end $$;
