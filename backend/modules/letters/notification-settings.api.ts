import * as z from 'zod/mini';
import { STUDENT_WRITES, get, put } from '../../platform/http/calls.api.js';
import { created, rule, undoable } from '../../platform/http/common.api.js';
import { zoneChange } from '../settings/settings.api.js';

export const noticeGroups = ['aulas', 'pedidos', 'pagamentos', 'contratos', 'creditos', 'lembretes'] as const;
export type NoticeGroup = (typeof noticeGroups)[number];

/** Groups of notifications for each role. */
export const groupsOf = {
  personal: ['aulas', 'pedidos', 'pagamentos', 'contratos'],
  aluno: noticeGroups,
} as const satisfies Record<string, readonly NoticeGroup[]>;

/** Mails without a notification: reminders of charges and of contracts, sent unless switched off. */
export const letterKinds = ['vencimentos', 'assinaturas'] as const;
export type LetterKind = (typeof letterKinds)[number];

const groups = z.array(z.enum(noticeGroups)).check(
  z.maxLength(noticeGroups.length),
  z.refine((all) => new Set(all).size === all.length, 'Há itens repetidos'),
);
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Informe o horário como 07:30'));

const fields = {
  /** Groups that are pushed to devices. */
  push: groups,
  /** Groups that are mailed. */
  email: groups,
  /** Kinds of mails that a student has switched off; if missing, these are not changed. */
  desligados: z.optional(z.array(z.enum(letterKinds)).check(z.maxLength(letterKinds.length))),
  silencio: z.nullable(z.strictObject({ de: time, ate: time })),
  /** Time zone of the quiet hours. */
  zona: zoneChange.shape.fuso_horario,
};
const notEmpty = rule<{ silencio: { de: string; ate: string } | null }>(
  ({ silencio }) => silencio?.de !== silencio?.ate || silencio === null,
  'O fim deve ser outro horário',
  ['silencio', 'ate'],
);

export const notificationSettings = z.strictObject(fields).check(notEmpty);
export type NotificationSettings = z.infer<typeof notificationSettings>;

export const notificationChange = z.strictObject(undoable(fields)).check(notEmpty);
export type NotificationChange = z.infer<typeof notificationChange>;

/** Groups that are mailed to users without settings. */
export const usualMails = { personal: [], aluno: ['creditos', 'lembretes'] } as const satisfies Record<
  string,
  readonly NoticeGroup[]
>;

/** A trainer's notification settings. */
export const notificationSettingsApi = {
  show: get('/settings/notifications', {
    summary: 'Mostra como o personal é notificado',
    answer: notificationSettings,
  }),
  change: put('/settings/notifications', {
    summary: 'Define como o personal é notificado',
    body: notificationChange,
    answer: created,
  }),
};

export const ownNotificationSettingsApi = {
  show: get('/student/notification-settings', {
    summary: 'Mostra como o próprio aluno é notificado',
    roles: ['aluno'],
    answer: notificationSettings,
  }),
  change: put('/student/notification-settings', {
    summary: 'Define como o próprio aluno é notificado',
    roles: ['aluno'],
    body: notificationChange,
    answer: created,
    limit: STUDENT_WRITES,
  }),
};
