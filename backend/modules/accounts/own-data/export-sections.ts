import type { EventRow } from '../../../platform/event-store/event-codec.js';

/** One file of an export: the rows of one statement under a tenant's row security, with the field names of the API. */
export interface Section {
  /** File name without its extension. */
  name: string;
  sql: string;
  /** Also written as CSV. */
  csv?: true;
}

/** The data of a trainer, including removed entities, since they are stored. */
export const trainerSections: readonly Section[] = [
  {
    name: 'alunos',
    csv: true,
    sql: `select s.id, s.nome, s.telefone, s.whatsapp, s.email, s.plano_id, p.nome as plano, s.observacoes,
        array_to_string(array(select jsonb_array_elements_text(s.etiquetas)), ', ') as etiquetas,
        s.cpf, s.nascimento, s.emergencia_nome, s.emergencia_telefone, s.emergencia_relacao, s.responsavel_nome, s.responsavel_telefone,
        case s.status when 'active' then 'ativo' when 'archived' then 'inativo' else 'excluido' end as situacao, s.criado_em,
        (select string_agg(l.restante || coalesce(to_char(l.expira_em, '" até "DD/MM/YYYY'), ''), ' + '
             order by l.expires_at nulls last, l.position)
           from credit_lot_balances l where l.tenant_id = s.tenant_id and l.student_id = s.id and l.restante > 0
             and (l.expires_at is null or l.expires_at > now())) as creditos,
        m.valor as mensalidade, mp.nome as mensalidade_plano, m.desde as mensalidade_desde, m.ate as mensalidade_ate, m.vence_dia
      from students s left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id
      left join monthly_plans m on m.tenant_id = s.tenant_id and m.id = s.id and m.ativo
      left join plans mp on mp.tenant_id = m.tenant_id and mp.id = m.plano_id order by s.criado_em, s.id`,
  },
  {
    name: 'anotacoes-de-alunos',
    csv: true,
    sql: `select n.id, n.student_id, a.nome as aluno, n.dia, n.texto, n.removed as excluida, n.criado_em
      from student_notes n left join students a on a.tenant_id = n.tenant_id and a.id = n.student_id
      order by n.dia, n.criado_em, n.id`,
  },
  {
    name: 'importacoes-de-alunos',
    sql: `select id, em, alunos, removidos, mantidos from student_imports order by em, id`,
  },
  {
    name: 'sessoes',
    csv: true,
    sql: `select s.id, s.student_id, a.nome as aluno, s.inicio, s.fim, s.location_id, l.nome as local, s.status,
        s.confirmado, s.credito, s.motivo, s.observacoes, s.taxa, s.valor, s.deleted as excluida
      from sessions s left join students a on a.tenant_id = s.tenant_id and a.id = s.student_id
      left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id order by s.inicio, s.id`,
  },
  {
    name: 'series',
    sql: `select id, student_id, dias, intervalo, inicio, ate, trechos, puladas, removida from series order by inicio, id`,
  },
  {
    name: 'creditos',
    csv: true,
    sql: `select e.entry_id as id, e.student_id, a.nome as aluno, e.em, e.tipo, e.quantidade, e.causa, n.motivo,
        e.lot_id as lote_id, e.plano_id, e.session_id
      from credit_entries e left join students a on a.tenant_id = e.tenant_id and a.id = e.student_id
      left join credit_notes n on n.tenant_id = e.tenant_id and n.id = e.entry_id order by e.position, e.entry_id, e.lot_id`,
  },
  {
    name: 'lotes-de-creditos',
    sql: `select lot_id as id, student_id, plano_id, quantidade, restante, criado_em, expira_em,
        session_id as reposicao_de, origem as reposicao_do_lote
      from credit_lot_balances order by position, lot_id`,
  },
  {
    name: 'lancamentos',
    csv: true,
    sql: `select t.id, t.tipo, t.data, t.descricao, t.valor, t.metodo_pagamento,
        coalesce(t.student_id, p.student_id) as student_id, a.nome as aluno, p.charge_id, t.categoria,
        t.alocacoes, t.estorno_de, t.estornada_por, t.motivo, t.corrige_id, t.corrigida_por, t.registrada_em
      from transactions t left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join students a on a.tenant_id = t.tenant_id and a.id = coalesce(t.student_id, p.student_id)
      order by t.data, t.registrada_em, t.id`,
  },
  {
    name: 'recibos',
    csv: true,
    sql: `select r.numero, r.id as transaction_id, r.student_id, r.nome, r.cpf, r.descricao, r.valor, r.data, r.metodo_pagamento,
        r.de, r.ate, r.prestador ->> 'nome' as prestador, r.prestador ->> 'documento' as documento,
        r.prestador ->> 'cref' as cref, r.emitido_em, t.estornada_por is not null as cancelado, r.guardar_ate
      from receipts r left join transactions t on t.tenant_id = r.tenant_id and t.id = r.id order by r.numero`,
  },
  {
    name: 'dados-dos-recibos',
    sql: `select nome, documento, cref, cidade from receipt_issuers`,
  },
  {
    name: 'cobrancas',
    csv: true,
    sql: `select c.id, c.student_id, a.nome as aluno, c.origem, c.descricao, c.valor, c.pago, c.vencimento, c.status,
        c.plano_id, c.session_id, c.emitida_em, c.prometida, c.pagamentos, c.lembretes
      from charges c left join students a on a.tenant_id = c.tenant_id and a.id = c.student_id
      order by c.vencimento, c.id`,
  },
  {
    name: 'planos',
    sql: `select id, nome, descricao, valor, creditos, validade_dias, tipo, is_active, status = 'removed' as excluido, criado_em
      from plans order by criado_em, id`,
  },
  {
    name: 'locais',
    sql: `select id, nome, endereco, cep, is_active, deslocamentos, status = 'removed' as excluido, criado_em
      from locations order by criado_em, id`,
  },
  {
    name: 'politicas',
    sql: `select p.id as location_id, l.nome as local, p.cancel_limite_horas, p.taxa_percent, p.queima_credito
      from policies p left join locations l on l.tenant_id = p.tenant_id and l.id = p.id order by p.id`,
  },
  {
    name: 'tarefas',
    csv: true,
    sql: `select t.id, t.titulo, t.descricao, t.data_vencimento, t.hora, t.list_id, l.nome as lista, t.rrule,
        t.concluida_em is not null as concluida, t.concluida_em, t.deleted as excluida, t.criada_em
      from tasks t left join task_lists l on l.tenant_id = t.tenant_id and l.id = t.list_id order by t.ordem, t.id`,
  },
  {
    name: 'listas-de-tarefas',
    sql: `select id, nome, cor, deleted as excluida from task_lists order by ordem, id`,
  },
  {
    name: 'disponibilidade',
    sql: `select horarios, excecoes from availability`,
  },
  {
    name: 'ferias',
    sql: `select v.id, v.start_date, v.end_date, v.description, v.status, e.canceladas, e.movidas, e.creditos, e.dias
      from vacations v left join vacation_effects e on e.tenant_id = v.tenant_id and e.id = v.id
      order by v.start_date, v.id`,
  },
  {
    name: 'feriados',
    sql: `select proprios, ligados from holidays`,
  },
  {
    name: 'link-do-calendario',
    sql: `select com_nomes, desde from calendar_feed`,
  },
  {
    name: 'mensalidades',
    sql: `select id as student_id, plano_id, valor, desde, ate, vence_dia, proximo_mes, ativo from monthly_plans order by id`,
  },
  {
    name: 'despesas-recorrentes',
    sql: `select id, descricao, valor, metodo_pagamento, categoria, vence_dia, desde, ate, proximo_mes, ativa
      from recurring_expenses order by vence_dia, id`,
  },
  {
    name: 'linhas-do-extrato',
    sql: `select id, decisao, valor, data, charge_id, transaction_id from bank_lines order by data, id`,
  },
  {
    name: 'pix-recebidos',
    sql: `select id, charge_id, valor, aplicado, falta, data, decidido from arrived_pix order by data, id`,
  },
  {
    name: 'chave-pix',
    sql: `select tipo, chave, nome, cidade from pix_accounts`,
  },
  {
    name: 'provedor-pix',
    sql: `select servidor, com_certificado, desde from pix_providers`,
  },
  {
    name: 'codigos-do-provedor',
    sql: `select id as charge_id, txid, valor, expira_em, pix_copia_e_cola from pix_codes order by id`,
  },
  {
    name: 'link-publico',
    sql: `select t.slug, p.ativo, p.dias, p.duracao_min, p.intervalo_min, p.por_dia, p.antecedencia_min, p.locais, p.texto,
        p.whatsapp, p.indexavel, p.bloqueados from tenants t left join public_links p on p.tenant_id = t.tenant_id`,
  },
  {
    name: 'transferencias-de-creditos',
    sql: `select t.id, t.de as de_aluno, t.para as para_aluno, t.quantidade, n.motivo, t.desfeita from credit_transfers t
      left join credit_notes n on n.tenant_id = t.tenant_id and n.id = t.id order by t.id`,
  },
  {
    name: 'reposicoes',
    sql: `select ativo, teto_percent, prazo_meses from make_up_rules`,
  },
  {
    name: 'agendamento-de-alunos',
    sql: `select ativo, dias, duracao_min, intervalo_min, antecedencia_min, abertas, exige_credito from student_booking`,
  },
  {
    name: 'reservas',
    csv: true,
    sql: `select v.id, v.session_id, v.student_id, v.nome, v.email, s.inicio, s.fim, s.status, s.confirmado,
        v.consentimento, v.criado_em, v.mensagem
      from visits v left join sessions s on s.tenant_id = v.tenant_id and s.id = v.session_id order by v.criado_em, v.id`,
  },
  {
    name: 'lista-de-espera',
    csv: true,
    sql: `select id, student_id, nome, email, location_id, de, ate, periodos, status, pulado, ofertas, criado_em
      from waitlist order by criado_em, id`,
  },
  {
    name: 'outro-calendario',
    sql: `select link_ics, desde from other_calendar`,
  },
  {
    name: 'lembretes',
    sql: `select r.id, r.session_id, r.student_id, a.nome as aluno, r.inicio, r.por_email, r.preparado_em, r.enviado_em,
        r.confirmado_em
      from reminders r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id order by r.inicio, r.id`,
  },
  {
    name: 'avisos-de-vencimento',
    sql: `select w.id, w.student_id, a.nome as aluno, w.expira_em, w.por_email, w.preparado_em, w.enviado_em
      from expiry_warnings w left join students a on a.tenant_id = w.tenant_id and a.id = w.student_id
      order by w.expira_em, w.id`,
  },
  {
    name: 'pedidos-de-alunos',
    csv: true,
    sql: `select r.id as session_id, r.student_id, a.nome as aluno, r.inicio, r.pedido, r.novo_inicio, r.novo_fim, r.motivo,
        r.situacao, r.mensagem, r.pedido_em
      from session_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.pedido_em, r.id`,
  },
  {
    name: 'nomes-em-horarios-divididos',
    sql: `select id as student_id, mostra from partner_names order by id`,
  },
  {
    name: 'contratos',
    sql: `select id, titulo, tipo, is_active, codigo_email, responsavel, lembretes, versao, versoes, criado_em, alterado_em
      from contracts order by criado_em, id`,
  },
  {
    name: 'assinaturas',
    csv: true,
    sql: `select r.id, r.contract_id, r.student_id, a.nome as aluno, r.versao, r.status, r.enviado_em, r.expires_at, r.lembrado_em, r.aberto_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.titulo, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r left join students a on a.tenant_id = r.tenant_id and a.id = r.student_id
      order by r.enviado_em, r.id`,
  },
  {
    name: 'escolhas-de-notificacoes',
    sql: `select c.push, c.email, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.role = 'personal'`,
  },
  {
    name: 'emails-desligados',
    sql: `select student_id, kind as tipo from letters_off order by student_id, kind`,
  },
  {
    name: 'emails-recentes',
    sql: `select person_id as student_id, at as em, withheld as nao_enviado from mail_ledger
      where person_id is not null order by at, person_id`,
  },
  {
    name: 'notificacoes',
    sql: `select id, tipo, student_id, subject_id, quantidade, inicio, antes, valor, dia, em, lida_em from notifications
      where para = 'personal' order by em, id`,
  },
  {
    name: 'pausas',
    sql: 'select id as student_id, desde, ate from student_pauses order by id',
  },
  {
    name: 'configuracoes',
    sql: `select t.currency as moeda, t.timezone as fuso_horario, f.meta_mensal, f.meta_trimestral, f.meta_anual,
        f.meta_reserva, f.imposto, f.reserva, f.operacional, f.retirada
      from tenants t left join financial_settings f on f.tenant_id = t.tenant_id`,
  },
  {
    name: 'termos-gerais',
    sql: `select versao, aceito_em from general_terms`,
  },
  {
    name: 'consultor-financeiro',
    sql: `select envio from advisor_sharing`,
  },
];

/** The data of the student `$1`, without the trainer's private notes. */
export const studentSections: readonly Section[] = [
  {
    name: 'cadastro',
    sql: `select s.id, s.nome, s.telefone, s.whatsapp, s.email, p.nome as plano, s.criado_em, s.cpf, s.nascimento,
        s.emergencia_nome, s.emergencia_telefone, s.emergencia_relacao, s.responsavel_nome, s.responsavel_telefone
      from students s left join plans p on p.tenant_id = s.tenant_id and p.id = s.plano_id where s.id = $1`,
  },
  {
    name: 'pausa',
    sql: 'select desde, ate from student_pauses where id = $1',
  },
  {
    name: 'mensalidade',
    sql: `select p.nome as plano, m.valor, m.desde, m.ate, m.vence_dia, m.ativo as ativa
      from monthly_plans m left join plans p on p.tenant_id = m.tenant_id and p.id = m.plano_id where m.id = $1`,
  },
  {
    name: 'sessoes',
    sql: `select s.id, s.inicio, s.fim, l.nome as local, s.status, s.confirmado, s.credito
      from sessions s left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
      where s.student_id = $1 and not s.deleted order by s.inicio, s.id`,
  },
  {
    name: 'reservas',
    sql: `select id, session_id, nome, email, consentimento, criado_em, mensagem from visits where student_id = $1
      order by criado_em, id`,
  },
  {
    name: 'lista-de-espera',
    sql: `select id, nome, email, location_id, de, ate, periodos, status, criado_em from waitlist where student_id = $1
      order by criado_em, id`,
  },
  {
    name: 'lembretes',
    sql: `select id, session_id, inicio, por_email, enviado_em, confirmado_em from reminders where student_id = $1
      order by inicio, id`,
  },
  {
    name: 'link-do-calendario',
    sql: `select desde from student_calendars where id = $1`,
  },
  {
    name: 'avisos-de-vencimento',
    sql: `select id, expira_em, por_email, preparado_em, enviado_em from expiry_warnings where student_id = $1
      order by expira_em, id`,
  },
  {
    name: 'escolhas-de-notificacoes',
    sql: `select c.push, c.email, c.desligados, c.silencio_de, c.silencio_ate, c.zona from notification_settings c
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id where m.student_id = $1`,
  },
  {
    name: 'emails-desligados',
    sql: `select kind as tipo from letters_off where student_id = $1 order by kind`,
  },
  {
    name: 'emails-recentes',
    sql: `select at as em, withheld as nao_enviado from mail_ledger where person_id = $1 order by at`,
  },
  {
    name: 'notificacoes',
    sql: `select id, tipo, subject_id, quantidade, inicio, antes, valor, dia, em, lida_em from notifications
      where para = 'aluno' and student_id = $1 order by em, id`,
  },
  {
    name: 'pedidos',
    sql: `select id as session_id, inicio, pedido, novo_inicio, novo_fim, motivo, situacao, mensagem, pedido_em
      from session_requests where student_id = $1 order by pedido_em, id`,
  },
  {
    name: 'nome-em-horarios-divididos',
    sql: `select mostra from partner_names where id = $1`,
  },
  {
    name: 'creditos',
    sql: `select e.entry_id as id, e.em, e.tipo, e.quantidade, e.causa, p.nome as plano, e.session_id
      from credit_entries e left join plans p on p.tenant_id = e.tenant_id and p.id = e.plano_id
      where e.student_id = $1 order by e.position, e.entry_id, e.lot_id`,
  },
  {
    name: 'lotes-de-creditos',
    sql: `select l.lot_id as id, p.nome as plano, l.quantidade, l.restante, l.criado_em, l.expira_em,
        l.session_id as reposicao_de
      from credit_lot_balances l left join plans p on p.tenant_id = l.tenant_id and p.id = l.plano_id
      where l.student_id = $1 order by l.position, l.lot_id`,
  },
  {
    name: 'cobrancas',
    sql: `select id, descricao, valor, pago, vencimento, status, emitida_em, pagamentos
      from charges where student_id = $1 order by vencimento, id`,
  },
  {
    // With the descriptions of charges and receipts, which are meant for the student, not those of entries.
    name: 'pagamentos',
    sql: `select t.id, t.data, t.valor, t.metodo_pagamento, coalesce(r.descricao, c.descricao) as descricao,
        t.estornada_por is not null as estornado
      from transactions t
      left join charge_payments p on p.tenant_id = t.tenant_id and p.id = t.id
      left join charges c on c.tenant_id = p.tenant_id and c.id = p.charge_id
      left join receipts r on r.tenant_id = t.tenant_id and r.id = t.id and r.student_id = $1
      where t.tipo = 'receita' and t.estorno_de is null and $1 in (t.student_id, p.student_id) order by t.data, t.id`,
  },
  {
    name: 'recibos',
    sql: `select r.numero, r.nome, r.cpf, r.descricao, r.valor, r.data, r.metodo_pagamento, r.de, r.ate, r.emitido_em,
        t.estornada_por is not null as cancelado
      from receipts r left join transactions t on t.tenant_id = r.tenant_id and t.id = r.id
      where r.student_id = $1 order by r.numero`,
  },
  {
    name: 'contratos',
    sql: `select r.id, coalesce(r.titulo, c.versoes -> (r.versao - 1) ->> 'titulo') as titulo, r.versao, r.status, r.enviado_em,
        r.encerrado_em, r.motivo, r.assinado_em, r.conteudo, r.nome, r.cpf, r.telefone, r.ip_address, r.navegador, r.conteudo_hash,
        r.sal, r.meio, r.nascimento, r.responsavel ->> 'nome' as responsavel_nome, r.responsavel ->> 'cpf' as responsavel_cpf,
        r.responsavel ->> 'relacao' as responsavel_relacao, r.codigo_confirmado_em, r.consentimento, r.guardar_ate
      from signature_requests r join contracts c on c.tenant_id = r.tenant_id and c.id = r.contract_id
      where r.student_id = $1 order by r.enviado_em, r.id`,
  },
];

/** An event with its user and device. */
export interface HistoryRow extends EventRow {
  quem: string | null;
  user_agent: string | null;
}

/** The whole log of a tenant. */
export const HISTORY = `select e.tenant_id, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta,
    e.recorded_at, u.user_metadata ->> 'nome' as quem, s.user_agent
  from events e left join auth.users u on u.id = (e.meta ->> 'actor')::uuid
  left join auth.sessions s on s.id = (e.meta ->> 'device')::uuid
  where e.tenant_id = $1 order by e.position`;
