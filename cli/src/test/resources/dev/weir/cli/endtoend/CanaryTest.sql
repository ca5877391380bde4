-- name: everything
select database_to_xml(true, false, '')::text
