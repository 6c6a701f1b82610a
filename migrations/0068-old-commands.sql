-- What processes wrote commands with before 0060. None of those is left to be replaced: the version before this one
-- writes with record_command.
drop function begin_command;
drop function finish_command;
