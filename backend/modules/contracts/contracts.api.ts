import * as z from 'zod/mini';
import { STUDENT_WRITES, get, post, patch, remove } from '../../platform/http/calls.api.js';
import {
  atMoment,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  momentQuery,
  name,
  page,
  pageQuery,
  text,
  undoable,
} from '../../platform/http/common.api.js';
import { cpf } from '../students/cpf.api.js';
import { calledPhone } from '../students/phone-fields.api.js';
import type { GuardianRole } from './age.api.js';
import { mergeField } from './merge-fields.api.js';

export const contractErrors = {
  'contracts.not_found': { status: 404, title: 'Contrato não encontrado' },
  'contracts.inactive': { status: 409, title: 'O contrato está inativo' },
  'contracts.too_many_students': { status: 422, title: 'Há alunos demais para um envio só' },
  'contracts.nobody': { status: 422, title: 'Nenhum aluno ativo para enviar' },
  'contracts.request_not_found': { status: 404, title: 'Link inválido ou expirado' },
  'contracts.expired': { status: 409, title: 'O prazo para assinar expirou' },
  'contracts.revoked': { status: 409, title: 'O link de assinatura foi cancelado' },
  'contracts.superseded': { status: 409, title: 'O link de assinatura foi substituído por outro' },
  'contracts.declined': { status: 409, title: 'O contrato foi recusado' },
  'contracts.sent_again': { status: 409, title: 'O contrato já foi enviado de novo a este aluno' },
  'contracts.already_signed': { status: 409, title: 'O contrato já foi assinado' },
  'contracts.withdrawn': { status: 409, title: 'O aluno desistiu do contrato' },
  'contracts.not_signed': { status: 409, title: 'O contrato não está assinado' },
  'contracts.too_late_to_withdraw': { status: 409, title: 'O prazo de 7 dias para desistir terminou' },
  'contracts.no_address': { status: 409, title: 'O aluno não tem e-mail no cadastro' },
  'contracts.no_email': { status: 409, title: 'Não há e-mail no cadastro para receber o código' },
  'contracts.code_too_soon': { status: 409, title: 'Espere 1 minuto para pedir outro código' },
  'contracts.too_many_codes': {
    status: 409,
    title: 'Foram pedidos códigos demais. Use o último ou fale com seu personal',
  },
  'contracts.codes_of_today': {
    status: 409,
    title: 'Este e-mail já recebeu 10 códigos hoje. Use o último ou peça outro amanhã',
  },
  'contracts.mailed_code_over': { status: 409, title: 'Este código expirou. Peça outro' },
  'contracts.mailed_code_missing': { status: 409, title: 'Confirme o código enviado por e-mail' },
  'contracts.copy_not_ready': {
    status: 409,
    title: 'O PDF ainda não está pronto. Tente de novo em instantes',
  },
  'contracts.wrong_cpf': { status: 403, title: 'Este não é o CPF de quem assinou' },
  'contracts.code_not_found': { status: 404, title: 'Código desconhecido' },
  'contracts.seal_not_found': { status: 404, title: 'Lacre desconhecido' },
} as const satisfies ErrorTable;

/** Days for which a signing link can be valid. */
export const linkDays = [7, 15, 30] as const;
/** The default. */
export const LINK_DAYS = 30;
/** Students who have not signed are reminded so many days after the sending, and so many days before the link expires. */
export const REMIND_AFTER_DAYS = 3;
export const REMIND_BEFORE_DAYS = 2;
/** Days within which a contract concluded at a distance can be withdrawn from (CDC, art. 49). */
export const WITHDRAWAL_DAYS = 7;
/** Minutes for which a mailed code is valid. */
export const CODE_MINUTES = 30;
/** The most students of one sending. */
export const MOST_STUDENTS = 500;
const LONGEST_TEXT = 40_000;
/** The most marks (`<`) of a text: what a text costs to clean grows with them. */
const MOST_MARKS = 2_000;

export const contractKind = z.enum(['termo_personal', 'termo_aluno']);
export type ContractKind = z.infer<typeof contractKind>;

const fields = {
  titulo: name(1, 150, 'Informe o título'),
  tipo: contractKind,
  /** HTML; elements that are not allowed are removed. */
  conteudo: text(1, LONGEST_TEXT, 'Escreva o contrato').check(
    z.refine((html) => html.split('<').length <= MOST_MARKS, { error: 'O contrato tem formatação demais' }),
  ),
};

export const newContract = z.strictObject({
  ...fields,
  tipo: z._default(contractKind, 'termo_personal'),
  /** Signers confirm a code that is mailed to the student. */
  codigo_email: z._default(z.boolean(), false),
  /** Signers give their birth date. A guardian signs for a minor whether or not it is asked for. */
  responsavel: z._default(z.boolean(), false),
  /** Students who have not signed are reminded automatically. */
  lembretes: z._default(z.boolean(), true),
});
export type NewContract = z.infer<typeof newContract>;

export const contractChanges = z.strictObject(
  undoable({
    titulo: z.optional(fields.titulo),
    tipo: z.optional(contractKind),
    conteudo: z.optional(fields.conteudo),
    codigo_email: z.optional(z.boolean()),
    responsavel: z.optional(z.boolean()),
    lembretes: z.optional(z.boolean()),
    is_active: z.optional(z.boolean()),
  }),
);
export type ContractChanges = z.infer<typeof contractChanges>;

export const contractList = z.strictObject({
  ...pageQuery,
  situacao: z._default(z.enum(['ativos', 'inativos']), 'ativos'),
});
export type ContractList = z.infer<typeof contractList>;

const contractSummary = z.object({
  id,
  titulo: z.string(),
  tipo: contractKind,
  is_active: z.boolean(),
  versao: z.int(),
  assinaturas: z.int(),
  aguardando: z.int(),
  alterado_em: instant,
});
export type ContractSummary = z.infer<typeof contractSummary>;
export const contractPage = page(contractSummary);
export type ContractPage = z.infer<typeof contractPage>;

const contractVersion = z.object({
  versao: z.int(),
  titulo: z.string(),
  conteudo: z.string(),
  em: instant,
  assinaturas: z.int(),
});

/** `versoes`: newest first. */
export const contract = z.extend(contractSummary, {
  conteudo: z.string(),
  codigo_email: z.boolean(),
  responsavel: z.boolean(),
  lembretes: z.boolean(),
  versoes: z.array(contractVersion),
});
export type Contract = z.infer<typeof contract>;

/** `versao`: the version in force after the change. */
const contractSaved = z.object({ id, versao: z.int() });

/** `email`: the link is also mailed to students who have an address. */
const channel = z.enum(['link', 'email']);
export const reminder = z.strictObject({ canal: channel });
export type Reminder = z.infer<typeof reminder>;

/** Sent to these students, or to all active ones. */
export const sending = z.strictObject({
  alunos: z.union([z.literal('todos'), z.array(id).check(z.minLength(1), z.maxLength(MOST_STUDENTS))]),
  canal: channel,
  /** Days for which a new link is valid; a link that a student already has keeps its expiry. */
  prazo_dias: z._default(z.literal(linkDays, 'Escolha o prazo'), LINK_DAYS),
});
export type Sending = z.infer<typeof sending>;

const guardianRole = z.enum(['representa', 'assiste']) satisfies z.ZodMiniType<GuardianRole>;

export const sendingQuestion = z.strictObject({ alunos: sending.shape.alunos });
export type SendingQuestion = z.infer<typeof sendingQuestion>;

/** The most minors that a preview names. */
export const MOST_MINORS = 20;

/** What a sending will do beyond the obvious. */
export const sendingPreview = z.object({
  /** The minors among the recipients, and how the guardian of each signs: the first `MOST_MINORS` of `total_menores`. */
  menores: z.array(
    z.object({
      student_id: id,
      nome: z.string(),
      papel: guardianRole,
      /** The recorded guardian's name. */
      responsavel: z.nullable(z.string()),
    }),
  ),
  total_menores: z.int(),
  /** How many have no recorded birth date, where the contract does not ask for it: they can only be taken for adults. */
  sem_nascimento: z.int(),
  /** Merge fields of the text that remain 'não informado', with how many recipients they concern. */
  faltam: z.array(z.object({ campo: mergeField, alunos: z.int() })),
});
export type SendingPreview = z.infer<typeof sendingPreview>;

/**
 * `enviados`: how many students have it to sign now. `ja_assinados`: how many were left out because they have signed this
 * version. `sem_email`: how many students got no mail of a sending by mail because they have no address; `retidos`: because no
 * more mails may be sent to them now; `retido_por`: why, for the first of them, as the trainer reads it.
 */
export const sent = z.object({
  id,
  enviados: z.int(),
  ja_assinados: z.int(),
  sem_email: z.int(),
  retidos: z.int(),
  retido_por: z.nullable(z.string()),
});
export type Sent = z.infer<typeof sent>;

/**
 * `desistido`: signed, then withdrawn from within the legal period. `cancelado`: the trainer revoked the link;
 * `substituido`: and the student has another one, or has signed by it. `inativo`: the contract was deactivated.
 * `sem_responsavel`: signed by a minor alone; it needs the guardian's signature.
 */
export const requestState = z.enum([
  'enviado',
  'aberto',
  'assinado',
  'sem_responsavel',
  'recusado',
  'expirado',
  'cancelado',
  'substituido',
  'inativo',
  'desistido',
]);
export type RequestState = z.infer<typeof requestState>;

const signatureRequest = z.object({
  id,
  student_id: id,
  /** Null once the person was forgotten. */
  student_nome: z.nullable(z.string()),
  versao: z.int(),
  estado: requestState,
  enviado_em: instant,
  lembrado_em: z.nullable(instant),
  aberto_em: z.nullable(instant),
  encerrado_em: z.nullable(instant),
  expires_at: instant,
  motivo: z.nullable(z.string()),
  /** Null when it can no longer be signed. */
  url: z.nullable(z.string()),
  /** Opens WhatsApp with a prepared message; null without a phone number. */
  whatsapp: z.nullable(z.string()),
  /** Whether the student can be reminded by mail. */
  tem_email: z.boolean(),
});
export type SignatureRequest = z.infer<typeof signatureRequest>;
export const requestList = z.strictObject(pageQuery);
export type RequestList = z.infer<typeof requestList>;
/** Newest first. */
export const requestPage = page(signatureRequest);
export type RequestPage = z.infer<typeof requestPage>;

/** Reminders that are due for students without an e-mail address. */
export const contractReminders = z.object({
  items: z.array(
    z.object({
      id,
      contract_id: id,
      student_nome: z.string(),
      titulo: z.string(),
      expires_at: instant,
      texto: z.string(),
      /** Opens the message in WhatsApp; null without a phone number. */
      whatsapp: z.nullable(z.string()),
    }),
  ),
});
export type ContractReminders = z.infer<typeof contractReminders>;

/**
 * The declarations that signers agree to, by version (a date). To change a text, add a version: earlier ones stay, because
 * signatures refer to them.
 */
export const consentTexts = {
  '2026-11-22': {
    dados:
      'Autorizo o tratamento dos meus dados pessoais para a execução deste contrato, conforme a LGPD (Lei nº 13.709/2018).',
    termos: 'Li o texto por inteiro e concordo com os termos.',
    metodo:
      'As partes aceitam esta assinatura eletrônica, feita fora da ICP-Brasil, como válida e como prova de autoria e integridade (MP nº 2.200-2/2001, art. 10, § 2º).',
  },
} as const;
const CONSENT_VERSION = '2026-11-22' satisfies keyof typeof consentTexts;
/** The declarations in force. */
export const consents = { versao: CONSENT_VERSION, ...consentTexts[CONSENT_VERSION] };

/** The declarations of a version; undefined for a version of a later release. */
export const consentsOf = (version: string): { dados: string; termos: string; metodo: string } | undefined =>
  Object.entries(consentTexts).find(([known]) => known === version)?.[1];

const agreed = z.literal(true, 'Marque para continuar');

const mailedCode = z.string().check(z.trim(), z.regex(/^\d{6}$/, 'Informe os 6 dígitos'));

/** The person who signs for a minor, or beside one. The birth date is compared and not kept. */
const guardian = z.strictObject({
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
  cpf,
  relacao: name(2, 60, 'Informe a relação, como mãe ou pai'),
  nascimento: z._default(z.nullable(calendarDate), null),
});

const signer = {
  nome: name(2, 120, 'Nome deve ter pelo menos 2 caracteres', 'Informe seu nome'),
  cpf,
  telefone: calledPhone,
  consent_data_processing: agreed,
  consent_terms: agreed,
  /** Version of the declarations that the signer agreed to. */
  consentimento: z.literal(consents.versao, 'As declarações mudaram. Atualize a página e leia de novo.'),
  /** The student's; required where the contract asks for it. */
  nascimento: z._default(z.nullable(calendarDate), null),
  responsavel: z._default(z.nullable(guardian), null),
  codigo: z._default(z.nullable(mailedCode), null),
};
export const signature = z.strictObject(signer);
export type Signature = z.infer<typeof signature>;

export const refusal = z.strictObject({ motivo: text(1, 500, 'Conte o motivo') });
export type Refusal = z.infer<typeof refusal>;

const token = text(1, 200);
export const linkParams = z.strictObject({ token });
/** The token is sent in the body: paths are stored with the Idempotency-Key. */
export const byLink = z.strictObject({ token });
export type ByLink = z.infer<typeof byLink>;
export const byLinkAndCpf = z.strictObject({ token, cpf });
export type ByLinkAndCpf = z.infer<typeof byLinkAndCpf>;
export const signatureByLink = z.strictObject({ token, ...signer });
export type SignatureByLink = z.infer<typeof signatureByLink>;
export const codeTyped = z.strictObject({ codigo: mailedCode });
export type CodeTyped = z.infer<typeof codeTyped>;
export const codeTypedByLink = z.strictObject({ token, codigo: mailedCode });
export type CodeTypedByLink = z.infer<typeof codeTypedByLink>;
/** Whether the code was right. `link`: the signing page, for who came by the link of the student's area and has typed it. */
export const codeChecked = z.object({ id, confirmado: z.boolean(), link: z.nullable(z.string()) });
export const refusalByLink = z.strictObject({ token, ...refusal.shape });
export type RefusalByLink = z.infer<typeof refusalByLink>;

/** The evidence at the end of a signed copy. */
const proof = z.object({
  nome: z.nullable(z.string()),
  cpf: z.nullable(z.string()),
  telefone: z.nullable(z.string()),
  assinado_em: instant,
  ip_address: z.nullable(z.string()),
  navegador: z.nullable(z.string()),
  conteudo_hash: z.string(),
  /**
   * Random text that is hashed with the content, so that nobody can find the content by hashing guesses; null for the oldest
   * signatures.
   */
  sal: z.nullable(z.string()),
  nascimento: z.nullable(z.string()),
  responsavel: z.nullable(
    z.object({ nome: z.nullable(z.string()), cpf: z.nullable(z.string()), relacao: z.nullable(z.string()) }),
  ),
  codigo_confirmado_em: z.nullable(instant),
  /** Version of the declarations that the signer agreed to. */
  consentimento: z.string(),
  codigo: z.string(),
  /** Whether the PDF is ready. */
  tem_pdf: z.boolean(),
  /** Until when the signer can withdraw; null after a withdrawal or after the period. */
  desistir_ate: z.nullable(instant),
});

/** A contract as its signer sees it. It contains `{{cpf}}` until it is signed. */
export const signable = z.object({
  id,
  /** The trainer's name. */
  personal: z.string(),
  titulo: z.string(),
  conteudo: z.string(),
  versao: z.int(),
  estado: requestState,
  expires_at: instant,
  aluno: z.nullable(z.object({ nome: z.string(), whatsapp: z.nullable(z.string()) })),
  /** What is required beside the signature. `codigo_email.para`: the address, masked. */
  codigo_email: z.nullable(
    z.object({ para: z.nullable(z.string()), enviado: z.boolean(), confirmado: z.boolean() }),
  ),
  /** Whether it asks for the birth date. */
  responsavel: z.boolean(),
  /** How the guardian of this student has to sign, by the recorded birth date; null for an adult or where none is recorded. */
  papel_responsavel: z.nullable(guardianRole),
  prova: z.nullable(proof),
  /** It is signed, and its link alone shows no more than that: the content is shown to those who type the signer's CPF. */
  pede_cpf: z.boolean(),
});
export type Signable = z.infer<typeof signable>;

/** `pagina`: the page of the link as it shows the signed copy, in HTML. */
export const signedByLink = z.extend(signable, { pagina: z.string() });
export type SignedByLink = z.infer<typeof signedByLink>;

/** 'Aguardando Assinatura' or 'Assinado': contracts that a student has to sign or has signed, newest first. */
export const ownContracts = z.object({
  ...momentQuery,
  items: z.array(
    z.object({
      id,
      titulo: z.string(),
      versao: z.int(),
      estado: requestState,
      enviado_em: instant,
      encerrado_em: z.nullable(instant),
    }),
  ),
  /**
   * The masked address to which the code is mailed that opens the signing page from the link of the student's area, which may have
   * been forwarded. Null with an account, and where no address is recorded: then the trainer sends the signing link.
   */
  codigo_para: z.nullable(z.string()),
});
export type OwnContracts = z.infer<typeof ownContracts>;

export const contractsOfStudent = z.strictObject({ ...momentQuery, student_id: id });
export type ContractsOfStudent = z.infer<typeof contractsOfStudent>;

export const requestDone = z.object({ id });

export const codeParams = z.strictObject({ code: text(1, 40) });
/** What the form of the page sends, also without a script. */
export const typedCode = z.object({ codigo: z.optional(z.string().check(z.maxLength(40))) });
export type TypedCode = z.infer<typeof typedCode>;

/** SHA-256 of a file, in hexadecimal. */
const fileParams = z.strictObject({ sha256: z.string().check(z.regex(/^[\da-f]{64}$/)) });

/** The answer to a verification code, which anybody may see: initials only. */
export const verification = z.object({
  /** `sem_responsavel`: a minor signed without a guardian. */
  resultado: z.enum(['valido', 'retirado', 'substituido', 'sem_responsavel']),
  codigo: z.string(),
  versao: z.int(),
  assinado_em: instant,
  dia: calendarDate,
  iniciais: z.string(),
  conteudo_hash: z.string(),
  posicao: z.int(),
  evento_hash: z.string(),
  /** The time of the PDF's time stamp (RFC 3161), which was verified when it was received; null without one. */
  carimbo_em: z.nullable(instant),
});
export type Verification = z.infer<typeof verification>;

const BODY_LIMIT = 256 * 1024;

export const contractsApi = {
  list: get('/contracts', {
    summary: 'Lista os contratos e termos',
    query: contractList,
    answer: contractPage,
  }),
  create: post('/contracts', {
    summary: 'Cria um contrato ou termo',
    body: newContract,
    bodyLimit: BODY_LIMIT,
    answer: contractSaved,
    status: 201,
  }),
  show: get('/contracts/:id', { summary: 'Mostra um contrato com as suas versões', answer: contract }),
  change: patch('/contracts/:id', {
    summary: 'Edita, inativa ou reativa um contrato; o que já foi enviado ganha uma nova versão',
    body: contractChanges,
    bodyLimit: BODY_LIMIT,
    answer: contractSaved,
  }),
  preview: post('/contracts/:id/send/preview', {
    summary:
      'Mostra o que um envio para assinatura vai fazer: quem precisa do responsável e o que falta no texto',
    asks: true,
    body: sendingQuestion,
    answer: sendingPreview,
  }),
  requests: get('/contracts/:id/requests', {
    summary: 'Lista a quem um contrato foi enviado',
    query: requestList,
    answer: requestPage,
  }),
};

export const signatureRequestsApi = {
  reminders: get('/signature-requests/reminders', {
    summary: 'Lista os lembretes de assinatura prontos para enviar',
    answer: contractReminders,
  }),
  revoke: remove('/signature-requests/:id', {
    summary: 'Cancela um link de assinatura',
    answer: requestDone,
  }),
  restore: post('/signature-requests/:id/restore', {
    summary: 'Reativa um link de assinatura cancelado',
    answer: requestDone,
  }),
  remind: post('/signature-requests/:id/remind', {
    summary: 'Lembra um aluno de assinar',
    body: reminder,
    answer: requestDone,
  }),
};

export const ownContractsApi = {
  list: get('/student/signature-requests', {
    summary: 'Lista os contratos do próprio aluno',
    roles: ['aluno'],
    byLink: true,
    query: atMoment,
    answer: ownContracts,
  }),
  open: post('/student/signature-requests/:id/open', {
    summary: 'Registra que o aluno abriu o contrato',
    roles: ['aluno'],
    answer: requestDone,
    limit: STUDENT_WRITES,
  }),
  withdraw: post('/student/signature-requests/:id/withdraw', {
    summary: 'Desiste de um contrato em até 7 dias da assinatura',
    roles: ['aluno'],
    answer: requestDone,
    limit: STUDENT_WRITES,
  }),
  sendCode: post('/student/signature-requests/:id/code', {
    summary: 'Envia por e-mail o código para assinar',
    roles: ['aluno'],
    byLink: true,
    answer: requestDone,
    limit: STUDENT_WRITES,
  }),
  decline: post('/student/signature-requests/:id/decline', {
    summary: 'Recusa um contrato',
    roles: ['aluno'],
    body: refusal,
    answer: requestDone,
    limit: STUDENT_WRITES,
  }),
};

export const CODES_BY_ADDRESS = { name: 'contract-codes', points: 60, seconds: 600 };

export const contractsCalls = {
  send: post('/contracts/:id/send', {
    summary: 'Envia um contrato para assinatura',
    body: sending,
    answer: sent,
  }),
};

export const contractFilesApi = {
  verify: get('/contract-files/:sha256', {
    summary: 'Verifica o PDF de uma assinatura pelo seu SHA-256',
    public: true,
    params: fileParams,
    answer: verification,
    limit: CODES_BY_ADDRESS,
  }),
};
