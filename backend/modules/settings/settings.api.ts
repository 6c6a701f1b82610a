import * as z from 'zod/mini';
import { get, put, post } from '../../platform/http/calls.api.js';
import { created, instant, rule, text, undoable } from '../../platform/http/common.api.js';

const LARGEST = 10_000_000_000;
const amount = z
  .int()
  .check(
    z.minimum(0, 'Valor deve ser maior que zero'),
    z.maximum(LARGEST, 'Use no máximo R$ 100.000.000,00'),
  );
const share = z.int().check(z.minimum(0), z.maximum(100));

/** Goals in cents (0: none set), shares of a receita in whole percent. */
const fields = {
  meta_mensal: amount,
  meta_trimestral: amount,
  meta_anual: amount,
  meta_reserva: amount,
  imposto: share,
  reserva: share,
  operacional: share,
  retirada: share,
};

const inWhole = rule<Record<'imposto' | 'reserva' | 'operacional' | 'retirada', number>>(
  ({ imposto, reserva, operacional, retirada }) => imposto + reserva + operacional + retirada === 100,
  'Os percentuais precisam somar 100',
  ['retirada'],
);

export const financialSettings = z.strictObject(fields).check(inWhole);
export type FinancialSettings = z.infer<typeof financialSettings>;

export const settingsChange = z.strictObject(undoable(fields)).check(inWhole);
export type SettingsChange = z.infer<typeof settingsChange>;

/** Defaults until the trainer sets others. */
export const defaultSettings: FinancialSettings = {
  meta_mensal: 0,
  meta_trimestral: 0,
  meta_anual: 0,
  meta_reserva: 100_000,
  imposto: 10,
  reserva: 20,
  operacional: 30,
  retirada: 40,
};

/** Brazil's zones by their IANA names, from east to west. */
export const zoneNames = {
  'America/Noronha': 'Fernando de Noronha',
  'America/Sao_Paulo': 'Brasília, Sul e Sudeste',
  'America/Fortaleza': 'Nordeste',
  'America/Belem': 'Pará e Amapá',
  'America/Cuiaba': 'Mato Grosso e Mato Grosso do Sul',
  'America/Manaus': 'Amazonas, Rondônia e Roraima',
  'America/Rio_Branco': 'Acre',
} as const;
export type ZoneName = keyof typeof zoneNames;

const zone = z.enum(Object.keys(zoneNames) as [ZoneName, ...ZoneName[]], 'Escolha um fuso horário');

/** `se_ainda`: only while this is the time zone; refused where it is another one by now. */
export const zoneChange = z.strictObject({ fuso_horario: zone, se_ainda: z.optional(zone) });

export const shownSettings = z.object({
  ...fields,
  /** ISO 4217. */
  moeda: z.string(),
  /** IANA name. */
  fuso_horario: z.string(),
  /** When the onboarding was completed; null while it is pending. */
  completed_at: z.nullable(instant),
});
export type ShownSettings = z.infer<typeof shownSettings>;

const list = z.array(text(1, 100)).check(z.maxLength(20));

/** The eleven answers of "Configuração Inicial". Amounts in cents. */
export const onboardingData = z.strictObject({
  alunos_ativos: z.int().check(z.minimum(0), z.maximum(10_000)),
  tipo_atendimento: text(1, 500),
  ticket_medio_mensal: amount,
  formas_cobranca: list,
  emite_recibo: z.boolean(),
  faturamento_mensal_medio: amount,
  tipo_planos: text(1, 500),
  faz_desconto: z.boolean(),
  tem_politica_cancelamento: z.boolean(),
  objetivos: list,
  /** For the six months together. */
  meta_faturamento_6meses: amount,
});
export type OnboardingData = z.infer<typeof onboardingData>;

export const settingsApi = {
  show: get('/settings', { summary: 'Mostra metas e percentuais', answer: shownSettings }),
  change: put('/settings', { summary: 'Define metas e percentuais', body: settingsChange, answer: created }),
  changeZone: put('/settings/timezone', {
    summary: 'Define o fuso horário',
    body: zoneChange,
    answer: created,
  }),
  complete: post('/onboarding', {
    summary: 'Conclui a configuração inicial',
    tags: ['settings'],
    body: onboardingData,
    answer: created,
  }),
};
