import * as z from 'zod/mini';
import { get, post, put, remove } from '../../platform/http/calls.api.js';
import {
  atMoment,
  created,
  birthDate,
  calendarDate,
  cents,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  name,
  optionalName,
  optionalText,
  page,
  pageQuery,
  text,
  undoable,
} from '../../platform/http/common.api.js';
import { mailStop } from '../../platform/mail/mail-stops.api.js';
import { cpf } from './cpf.api.js';
import { broughtStart } from '../plans/monthly-terms.api.js';
import { calledPhone, phone } from './phone-fields.api.js';

const fields = {
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  telefone: phone,
  whatsapp: z.nullable(phone),
  email: z.nullable(z.email().check(z.maxLength(254), z.toLowerCase())),
  plano_id: z.nullable(id),
  observacoes: optionalText(2000),
};

/** Optional details of a student. */
const details = {
  /** For receipts. */
  cpf: z.nullable(cpf),
  nascimento: z.nullable(birthDate),
  /** Emergency contact. */
  emergencia_nome: optionalName(120),
  emergencia_telefone: z.nullable(calledPhone),
  emergencia_relacao: optionalName(40),
  /** Legal guardian of a minor. */
  responsavel_nome: optionalName(120),
  responsavel_telefone: z.nullable(calledPhone),
};

/** A word that the trainer groups students by. */
const tag = name(1, 30, 'Escreva a etiqueta');

/** Tags of one student. */
export const MAX_TAGS = 10;

/** All of a student's tags. */
export const studentTags = z.strictObject({
  etiquetas: z.array(tag).check(z.maxLength(MAX_TAGS, `Use no máximo ${MAX_TAGS} etiquetas por aluno`)),
});
export type StudentTags = z.infer<typeof studentTags>;

export const tagsChange = z.strictObject(undoable(studentTags.shape));
export type TagsChange = z.infer<typeof tagsChange>;

/** The tags of active students by name, with how many have each; at most 200. */
export const tagList = z.object({ items: z.array(z.object({ etiqueta: z.string(), alunos: z.int() })) });
export type TagList = z.infer<typeof tagList>;

const registered = {
  nome: fields.nome,
  telefone: z.optional(fields.telefone),
  whatsapp: z.optional(fields.whatsapp),
  email: z._default(fields.email, null),
  plano_id: z._default(fields.plano_id, null),
  observacoes: z._default(fields.observacoes, null),
  ...z.partial(z.strictObject(details)).shape,
};
const hasNumber = z.refine<{ telefone?: string | undefined; whatsapp?: string | null | undefined }>(
  (student) => Boolean(student.telefone ?? student.whatsapp),
  { error: 'Informe o WhatsApp com DDD', path: ['whatsapp'] },
);

/** A student in a file, without the agreement, which stands beside it. */
export const listedInFile = z.strictObject(registered).check(hasNumber);

/**
 * At least one of `telefone` and `whatsapp`; a student with one number has it as both. A monthly plan comes with its agreement
 * (`mensalidade`).
 */
export const newStudent = z
  .strictObject({ ...registered, mensalidade: z.optional(broughtStart) })
  .check(hasNumber);
export type NewStudent = z.infer<typeof newStudent>;

/**
 * Changing to a monthly plan takes its agreement, unless there is one for this plan. An undo names the agreement that it gives back (null:
 * none), or leaves it as it is.
 */
export const studentChanges = z.strictObject(
  undoable(z.partial(z.strictObject({ ...fields, ...details, mensalidade: z.nullable(broughtStart) })).shape),
);
export type StudentChanges = z.infer<typeof studentChanges>;

/** One tag, as a form sends it. */
export const newTag = z.strictObject({ etiqueta: tag });

/** Students of one bulk change. */
export const MAX_CHANGED = 100;

/** The same for many students: to archive, bring back, give or take a tag. */
export const bulkChange = z
  .strictObject({
    acao: z.enum(['inativar', 'reativar', 'etiquetar', 'remover_etiqueta']),
    ids: z.array(id).check(z.minLength(1), z.maxLength(MAX_CHANGED)),
    /** The tag, for actions on tags. */
    etiqueta: z.optional(tag),
  })
  .check(
    z.refine(({ acao, etiqueta }) => acao.includes('etiqueta') === (etiqueta !== undefined), {
      error: 'Escreva a etiqueta',
      path: ['etiqueta'],
    }),
  );
export type BulkChange = z.infer<typeof bulkChange>;

/** The students that were changed. */
export const bulkChanged = z.object({ alterados: z.array(id) });
export type BulkChanged = z.infer<typeof bulkChanged>;

const student = z.object({
  id,
  nome: z.string(),
  /** E.164; null once the person is forgotten. */
  telefone: z.nullable(z.string()),
  /** E.164. */
  whatsapp: z.nullable(z.string()),
  email: z.nullable(z.string()),
  plano_id: z.nullable(id),
  plano: z.nullable(z.object({ id, nome: z.string(), creditos: z.int(), valor: cents })),
  observacoes: z.nullable(z.string()),
  etiquetas: z.array(z.string()),
  /** Credits that can be used now. */
  creditos: z.int(),
  arquivado: z.boolean(),
  /** The person was forgotten: no personal data is left, and commands refuse the student. */
  esquecido: z.boolean(),
  criado_em: instant,
});
export type Student = z.infer<typeof student>;

/** At this balance and below a renewal is suggested (spec 2, section 9). */
export const LOW_BALANCE = 2;
/** Credits that expire within this many days are pointed out. */
export const EXPIRY_NOTICE_DAYS = 7;
/** Days without a session, done or booked, after which a student counts as fading. */
export const MISSED_AFTER_DAYS = 21;
/** Sessions are counted in these days and compared with as many days before. */
export const PRESENCE_DAYS = 28;
/** With fewer sessions in the days before, half of them says nothing. */
export const FADING_FROM = 4;
/** Weeks that a student's page shows. */
export const PRESENCE_WEEKS = 12;
/** Days before the end of a monthly plan from which on a renewal is suggested. */
export const PLAN_NOTICE_DAYS = 30;

/** By name, the lowest balance first, the longest without a session first, or the largest debt first. */
export const studentOrder = z.enum(['nome', 'saldo', 'ultima', 'divida']);
export type StudentOrder = z.infer<typeof studentOrder>;

export const studentList = z.strictObject({
  ...pageQuery,
  cursor: z.optional(id),
  ordem: z._default(studentOrder, 'nome'),
  /** Only students who come less than they did, or no more (`fadingStudents`). */
  sumidos: z.optional(z.literal('sim')),
  /**
   * Only those whose plan ends: at most `LOW_BALANCE` credits are left in a week, or the monthly plan ends within
   * `PLAN_NOTICE_DAYS`.
   */
  acabando: z.optional(z.literal('sim')),
  /** Only those who have this tag. */
  etiqueta: z.optional(tag),
  /** Part of the name or of the phone's digits; accents and case do not matter. */
  q: z.optional(text(1, 120)),
  situacao: z._default(z.enum(['ativos', 'arquivados', 'todos']), 'ativos'),
});
export type StudentList = z.infer<typeof studentList>;

export const listedStudent = z.extend(student, {
  /** Start of the next session. */
  proxima: z.nullable(instant),
  /** Start of the last session that took place. */
  ultima: z.nullable(instant),
  /** Unpaid amount of overdue charges. */
  divida: cents,
  /** Last day of the current pause. */
  pausado_ate: z.nullable(calendarDate),
  /** Of those who come less: their sessions that took place in the last `PRESENCE_DAYS`, and in those before. */
  presenca: z.optional(z.object({ ultimas: z.int(), anteriores: z.int() })),
});
export type ListedStudent = z.infer<typeof listedStudent>;

/** A student with all details. */
export const knownStudent = z.extend(listedStudent, {
  ...momentQuery,
  /** Who shares their credits with the student; `creditos` counts these too. */
  creditos_de: z.nullable(z.string()),
  cpf: z.nullable(z.string()),
  nascimento: z.nullable(calendarDate),
  emergencia_nome: z.nullable(z.string()),
  /** E.164. */
  emergencia_telefone: z.nullable(z.string()),
  emergencia_relacao: z.nullable(z.string()),
  responsavel_nome: z.nullable(z.string()),
  /** E.164. */
  responsavel_telefone: z.nullable(z.string()),
  /** The agreement that is active. */
  mensalidade: z.nullable(
    z.object({
      plano_id: id,
      valor: cents,
      desde: calendarDate,
      ate: z.nullable(calendarDate),
      vence_dia: z.int(),
    }),
  ),
  frequencia: z.object({
    /** Sessions that took place in each of the last `PRESENCE_WEEKS` times seven days, the oldest first. */
    semanas: z.array(z.int()),
    /** Sessions of the last `PRESENCE_DAYS` to which the student did not come. */
    faltas: z.int(),
    /** What the plan has: credits for a number of days; null if it has none, or they do not expire. */
    plano: z.nullable(z.object({ creditos: z.int(), dias: z.int() })),
  }),
  /** Why no mails are sent to the address: the person wants none, reported one as spam, or it came back. */
  email_parado: z.nullable(mailStop),
  /** Second records of the same person that were merged into this one, with the id of the merging, newest first. */
  juntados: z.array(z.object({ id, nome: z.nullable(z.string()) })),
});
export type KnownStudent = z.infer<typeof knownStudent>;

/** `total` counts the matches on all pages. */
export const studentPage = z.extend(page(listedStudent), { total: z.int() });
export type StudentPage = z.infer<typeof studentPage>;

export const studentErrors = {
  'students.not_found': { status: 404, title: 'Aluno não encontrado' },
  'students.archived': { status: 409, title: 'Aluno inativo' },
  'students.forgotten': {
    status: 409,
    title: 'Os dados deste aluno foram apagados: ele não pode mais ser alterado, agendado nem renovado',
  },
  'students.merged': { status: 409, title: 'Este cadastro foi juntado com outro' },
  'students.in_use': {
    status: 409,
    title:
      'Não é possível remover o aluno: possui vínculos (agendamentos/recebimentos). Use Inativar se disponível.',
  },
} as const satisfies ErrorTable;

export const studentsApi = {
  list: get('/students', { summary: 'Lista alunos', query: studentList, answer: studentPage }),
  changeMany: post('/students/bulk', {
    summary: 'Inativa, reativa ou etiqueta vários alunos de uma vez',
    body: bulkChange,
    answer: bulkChanged,
  }),
  tags: get('/students/tags', { summary: 'Lista as etiquetas dos alunos ativos', answer: tagList }),
  get: get('/students/:id', { summary: 'Mostra um aluno', query: atMoment, answer: knownStudent }),
  tag: put('/students/:id/tags', {
    summary: 'Define as etiquetas de um aluno',
    body: tagsChange,
    answer: created,
  }),
  remove: remove('/students/:id', { summary: 'Exclui um aluno sem vínculos', answer: created }),
  archive: post('/students/:id/archive', { summary: 'Inativa um aluno', answer: created }),
};
