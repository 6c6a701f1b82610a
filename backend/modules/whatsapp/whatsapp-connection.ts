import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import {
  isUsable,
  type KindSetting,
  type MessageKind,
  type NewWhatsApp,
  type Template,
} from './whatsapp.api.js';

type Secret = 'token_acesso' | 'client_secret';

/** Secrets are null once the trainer's encryption key is destroyed. */
type Known = Omit<NewWhatsApp, Secret> & Record<Secret, string | null> & { connection_id: string };

/** A template that is used, and how many quick replies it has. */
interface UsedTemplate {
  nome: string;
  botoes: number;
}

export type WhatsAppConnectionEvent =
  | { type: 'WhatsAppConnected'; data: Known }
  | { type: 'WhatsAppDisconnected'; data: { connection_id: string } }
  /** The kind is sent by itself with this template, or no longer. */
  | {
      type: 'WhatsAppKindSet';
      data: { connection_id: string; tipo: MessageKind; modelo: UsedTemplate | null };
    }
  /** Meta refuses a kind's template or, without a kind, everything. `motivo`: its code, or the status of its answer. */
  | {
      type: 'WhatsAppStopped';
      data: { connection_id: string; tipo: MessageKind | null; motivo: number };
    }
  /** A test succeeded since. */
  | { type: 'WhatsAppResumed'; data: { connection_id: string } };

export type Connection = NewWhatsApp & { connection_id: string };

export interface WhatsAppState {
  /** The last connection, connected or not. */
  last: Known | null;
  connected: boolean;
  modelos: Partial<Record<MessageKind, UsedTemplate>>;
  /** Why a kind was switched off by itself. */
  parados: Partial<Record<MessageKind, number>>;
  parada: number | null;
}

/** The trainer's number at the WhatsApp Business Platform; the stream's id is the tenant's. */
export const whatsAppConnection: Aggregate<WhatsAppState, WhatsAppConnectionEvent> = {
  name: 'whatsapp',
  initialState: { last: null, connected: false, modelos: {}, parados: {}, parada: null },
  evolve(state, { type, data }) {
    switch (type) {
      case 'WhatsAppConnected': {
        const isSame = state.last?.connection_id === data.connection_id;
        return {
          last: data,
          connected: true,
          parada: null,
          modelos: isSame ? state.modelos : {},
          parados: isSame ? state.parados : {},
        };
      }
      case 'WhatsAppDisconnected':
        return { ...state, connected: false };
      case 'WhatsAppKindSet': {
        const [modelos, parados] = [{ ...state.modelos }, { ...state.parados }];
        delete modelos[data.tipo];
        delete parados[data.tipo];
        if (data.modelo) modelos[data.tipo] = data.modelo;
        return { ...state, modelos, parados };
      }
      case 'WhatsAppStopped': {
        const { tipo, motivo } = data;
        if (tipo === null) return { ...state, parada: motivo };
        const modelos = { ...state.modelos };
        delete modelos[tipo];
        return { ...state, modelos, parados: { ...state.parados, [tipo]: motivo } };
      }
      case 'WhatsAppResumed':
        return { ...state, parada: null };
    }
  },
  events: {
    WhatsAppConnected: {
      schemaVersion: 1,
      personal: {
        person: (_data, tenantId) => tenantId,
        fields: ['token_acesso', 'client_secret'],
      },
    },
    WhatsAppDisconnected: { schemaVersion: 1 },
    WhatsAppKindSet: { schemaVersion: 1 },
    WhatsAppStopped: { schemaVersion: 1 },
    WhatsAppResumed: { schemaVersion: 1 },
  },
};

/** Null if none is connected, or the trainer was forgotten. */
export function connectionOf({
  last,
  connected,
}: Pick<WhatsAppState, 'last' | 'connected'>): Connection | null {
  if (!connected || !last) return null;
  const { token_acesso, client_secret } = last;
  return token_acesso === null || client_secret === null ? null : { ...last, token_acesso, client_secret };
}

/** Replaces the previous connection. With new keys for the same number and account, what was switched on stays so. */
export function decideConnect(
  { last }: WhatsAppState,
  fresh: string,
  wanted: NewWhatsApp,
): WhatsAppConnectionEvent[] {
  const isSame = last?.numero_id === wanted.numero_id && last.conta_id === wanted.conta_id;
  return [
    { type: 'WhatsAppConnected', data: { connection_id: isSame ? last.connection_id : fresh, ...wanted } },
  ];
}

export function decideDisconnect({ last, connected }: WhatsAppState): WhatsAppConnectionEvent[] {
  if (!connected || !last) return [];
  return [{ type: 'WhatsAppDisconnected', data: { connection_id: last.connection_id } }];
}

/** Undoes the last disconnection. */
export function decideReconnect(state: WhatsAppState): WhatsAppConnectionEvent[] {
  if (!state.last || !connectionOf({ ...state, connected: true })) throw new Problem('whatsapp.none');
  return state.connected ? [] : [{ type: 'WhatsAppConnected', data: state.last }];
}

/** `known`: the templates as the last test read them. @throws Problem 422 for one that cannot be sent */
export function decideKind(
  { last, connected, modelos }: WhatsAppState,
  { tipo, modelo }: KindSetting,
  known: readonly Template[],
): WhatsAppConnectionEvent[] {
  if (!connected || !last) throw new Problem('whatsapp.none');
  if (modelo === (modelos[tipo]?.nome ?? null)) return [];
  const found = known.find(({ nome }) => nome === modelo);
  if (modelo !== null && !(found && isUsable(found, tipo))) throw new Problem('whatsapp.template_not_usable');
  const { connection_id } = last;
  const used = found ? { nome: found.nome, botoes: found.botoes } : null;
  return [{ type: 'WhatsAppKindSet', data: { connection_id, tipo, modelo: used } }];
}

/** `connection_id`: the one that was used, which may have been replaced meanwhile. */
export function decideStop(
  { last, connected, modelos, parada }: WhatsAppState,
  { connection_id, tipo, motivo }: Extract<WhatsAppConnectionEvent, { type: 'WhatsAppStopped' }>['data'],
): WhatsAppConnectionEvent[] {
  if (!connected || last?.connection_id !== connection_id) return [];
  if (tipo === null ? parada !== null : !modelos[tipo]) return [];
  return [{ type: 'WhatsAppStopped', data: { connection_id, tipo, motivo } }];
}

export function decideResume(
  { last, connected, parada }: WhatsAppState,
  connection_id: string,
): WhatsAppConnectionEvent[] {
  if (!connected || last?.connection_id !== connection_id || parada === null) return [];
  return [{ type: 'WhatsAppResumed', data: { connection_id } }];
}
