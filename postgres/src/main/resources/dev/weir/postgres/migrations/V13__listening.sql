-- When the workers of an organisation could be heard, as lists of since and until: written every second while claims whose time
-- is over wait for their workers, so that a node which dies again and again lets them end all the same.
alter table organisations add column listening text;
