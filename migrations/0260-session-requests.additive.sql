-- What students ask about their sessions: the last request about each one, under the session's id.
create table read.session_requests (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  -- when the session began as it was asked about: of one that was moved since this is no request
  inicio timestamptz not null,
  -- 'desmarcar', 'remarcar'
  pedido text not null,
  novo_inicio timestamptz,
  novo_fim timestamptz,
  motivo text,
  -- 'aberto', 'retirado', 'aceito', 'recusado'
  situacao text not null,
  -- what the trainer wrote when refusing
  mensagem text,
  pedido_em timestamptz not null,
  primary key (tenant_id, id)
);
alter table read.session_requests alter motivo set statistics 0, alter mensagem set statistics 0;
create index session_requests_open on read.session_requests (tenant_id, inicio, id) where situacao = 'aberto';
select prepare_read_table('read.session_requests');
