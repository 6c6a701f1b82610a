import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { DayPart } from './waitlist.api.js';
import { upcasters } from './upcasters.js';

interface About {
  wait_id: string;
  student_id: string;
}

export type WaitingEvent =
  /** Somebody who found no suitable free time waits for one on these days. */
  | {
      type: 'WaitlistJoined';
      data: About & {
        location_id: string;
        /** Earlier ones had none. */
        service_id?: string | null | undefined;
        /** Calendar dates, inclusive. */
        de: string;
        ate: string;
        periodos: DayPart[];
        /** When they joined, which gives their place in the queue. */
        em: string;
        /** As the visitor typed it. */
        nome: string | null;
        email: string | null;
        /** SHA-256 of the private link's token, in hexadecimal. */
        token_hash: string;
        /** Version of the text that the visitor agreed to. */
        consentimento: number;
        /** The student was registered when joining. */
        novo: boolean;
        /** Starts that were free then, none of which suits: they are not offered. */
        recusados?: string[];
      };
    }
  /** A time is held for them until `ate`. `oferta`: the number of the offer, from 1. `por_email`: they are told by mail. */
  | { type: 'WaitlistOffered'; data: About & Offer & { por_email: boolean } }
  /** Its mail was not sent, because too many had been sent to the address that day. The trainer has to tell them. */
  | { type: 'WaitlistOfferNotMailed'; data: About & { oferta: number; inicio: string } }
  /** The trainer sent it by WhatsApp. `ate`: the time is held until then from now on, since nobody knew of it before. */
  | { type: 'WaitlistOfferSent'; data: About & { oferta: number; inicio: string; ate?: string } }
  | { type: 'WaitlistOfferUnsent'; data: About & { oferta: number; inicio: string } }
  | { type: 'WaitlistOfferEnded'; data: About & { oferta: number; inicio: string; motivo: OfferEnd } }
  /** The trainer excludes them from offers until further notice. */
  | { type: 'WaitlistSkipped'; data: About }
  | { type: 'WaitlistUnskipped'; data: About }
  | { type: 'WaitlistBooked'; data: About & { oferta: number; visit_id: string } }
  | { type: 'WaitlistLeft'; data: About & { motivo: LeaveReason } };

export interface Offer {
  oferta: number;
  inicio: string;
  fim: string;
  ate: string;
}

export interface StandingOffer extends Offer {
  por_email: boolean;
  /** By the trainer. */
  enviada: boolean;
}

/** It passed without an answer (`venceu`), or its time came before anybody told the person of it (`nao_enviada`). */
export type OfferEnd = 'venceu' | 'nao_enviada' | 'pulada' | 'recusada' | 'ocupada';
/** They left (`saiu`), the dates passed, offers stayed unanswered, or the student is gone. */
type LeaveReason = 'saiu' | 'datas' | 'sem_resposta' | 'aluno';

export interface Waiting extends About {
  location_id: string;
  /** Null: what is booked without a service. */
  service_id: string | null;
  de: string;
  ate: string;
  periodos: readonly DayPart[];
  consentimento: number;
  /** The student was registered when joining. */
  novo: boolean;
  status: 'esperando' | 'agendada' | 'saiu';
  pulado: boolean;
  /** They gave an address: offers are mailed. */
  por_email: boolean;
  /** The current offer. */
  oferta: StandingOffer | null;
  ofertas: number;
  vencidas: number;
  /** Starts that were offered to them, or that they did not want when they joined: none is offered again. */
  oferecidos: readonly string[];
}

/** Undefined before somebody joins. */
export type WaitingState = Waiting | undefined;

const again = { schemaVersion: 1, uses: 'nothing new' } as const;

/** One person's entry in the waitlist; the stream's id is `wait_id`. */
export const waiting: Aggregate<WaitingState, WaitingEvent> = {
  name: 'waiting',
  initialState: undefined,
  evolve(state, { type, data }) {
    if (type === 'WaitlistJoined') {
      const { wait_id, student_id, location_id, service_id = null } = data;
      const { de, ate, periodos, consentimento, novo } = data;
      return {
        wait_id,
        student_id,
        location_id,
        service_id,
        de,
        ate,
        periodos,
        consentimento,
        novo,
        por_email: data.email !== null,
        status: 'esperando',
        pulado: false,
        oferta: null,
        ofertas: 0,
        vencidas: 0,
        oferecidos: data.recusados ?? [],
      };
    }
    if (!state) return undefined;
    switch (type) {
      case 'WaitlistOffered': {
        const { oferta, inicio, fim, ate, por_email } = data;
        const oferecidos = [...state.oferecidos, inicio];
        return {
          ...state,
          oferta: { oferta, inicio, fim, ate, por_email, enviada: false },
          ofertas: oferta,
          oferecidos,
        };
      }
      case 'WaitlistOfferNotMailed':
        return { ...state, oferta: state.oferta && { ...state.oferta, por_email: false } };
      case 'WaitlistOfferSent':
        return {
          ...state,
          oferta: state.oferta && { ...state.oferta, enviada: true, ate: data.ate ?? state.oferta.ate },
        };
      case 'WaitlistOfferUnsent':
        return { ...state, oferta: state.oferta && { ...state.oferta, enviada: false } };
      case 'WaitlistOfferEnded': {
        const vencidas = state.vencidas + (data.motivo === 'venceu' ? 1 : 0);
        // A time that the trainer took and freed again may be offered again, and so may one of which nobody told them.
        const isOpen = data.motivo === 'ocupada' || data.motivo === 'nao_enviada';
        const oferecidos = state.oferecidos.filter((start) => start !== data.inicio || !isOpen);
        return { ...state, oferta: null, vencidas, oferecidos };
      }
      case 'WaitlistSkipped':
        return { ...state, pulado: true };
      case 'WaitlistUnskipped':
        return { ...state, pulado: false };
      case 'WaitlistBooked':
        return { ...state, oferta: null, status: 'agendada' };
      case 'WaitlistLeft':
        return { ...state, oferta: null, status: 'saiu' };
    }
  },
  events: {
    WaitlistJoined: {
      schemaVersion: 1,
      personal: { person: ({ student_id }) => student_id, fields: ['nome', 'email'] },
      uses: ({ student_id, location_id, service_id }) => ({
        student: student_id,
        location: location_id,
        service: service_id,
      }),
    },
    WaitlistOffered: { schemaVersion: 2, uses: 'nothing new', upcasters: upcasters.WaitlistOffered },
    WaitlistOfferNotMailed: again,
    WaitlistOfferSent: again,
    WaitlistOfferUnsent: again,
    WaitlistOfferEnded: again,
    WaitlistSkipped: again,
    WaitlistUnskipped: again,
    WaitlistBooked: again,
    WaitlistLeft: again,
  },
};

export const about = ({ wait_id, student_id }: About): About => ({ wait_id, student_id });

/** An entry that is still waiting. */
export function stillWaiting(state: WaitingState): Waiting {
  if (state?.status !== 'esperando') throw new Problem('public_link.waiting_not_found');
  return state;
}

/** The offer that a visitor answers. @throws Problem 409 where it is not the current one */
export function openOffer(state: WaitingState, oferta: number, now: Date): StandingOffer {
  const offer = state?.oferta;
  if (!offer || offer.oferta !== oferta || Date.parse(offer.ate) <= now.getTime())
    throw new Problem('public.offer_over');
  return offer;
}

/** Whether the person was told of an offer, by mail or by the trainer: then the time to answer it runs. */
export const isTold = ({ por_email, enviada }: StandingOffer): boolean => por_email || enviada;

/** The offer that the trainer sends: while the person was not told of it, it stands. @throws Problem 409 as `openOffer` */
export function offerToSend(state: Waiting, oferta: number, now: Date): StandingOffer {
  const offer = state.oferta;
  return offer?.oferta === oferta && !isTold(offer) ? offer : openOffer(state, oferta, now);
}

export const decideSkip = (state: Waiting, pulado: boolean): WaitingEvent[] =>
  state.pulado === pulado
    ? []
    : [{ type: pulado ? 'WaitlistSkipped' : 'WaitlistUnskipped', data: about(state) }];

/** No event if it is no longer the current offer. */
export const decideNotMailed = (state: WaitingState, oferta: number): WaitingEvent[] =>
  state?.oferta?.oferta === oferta && state.oferta.por_email
    ? [
        {
          type: 'WaitlistOfferNotMailed',
          data: { ...about(state), oferta, inicio: state.oferta.inicio },
        },
      ]
    : [];

/** `until`: to which the offer is held if the person hears of it now, which is never sooner than before. */
export function decideSent(
  state: Waiting,
  { oferta, inicio, ate, enviada: before, por_email }: StandingOffer,
  enviada: boolean,
  until: number,
): WaitingEvent[] {
  if (before === enviada) return [];
  const offer = { ...about(state), oferta, inicio };
  if (!enviada) return [{ type: 'WaitlistOfferUnsent', data: offer }];
  const isLater = !por_email && until > Date.parse(ate);
  return [
    { type: 'WaitlistOfferSent', data: isLater ? { ...offer, ate: new Date(until).toISOString() } : offer },
  ];
}

export const decideEnd = (state: Waiting, { oferta, inicio }: Offer, motivo: OfferEnd): WaitingEvent[] => [
  { type: 'WaitlistOfferEnded', data: { ...about(state), oferta, inicio, motivo } },
];

export const decideTake = (state: Waiting, { oferta }: Offer, visit_id: string): WaitingEvent[] => [
  { type: 'WaitlistBooked', data: { ...about(state), oferta, visit_id } },
];

export const decideLeave = (state: Waiting, motivo: LeaveReason = 'saiu'): WaitingEvent[] => [
  { type: 'WaitlistLeft', data: { ...about(state), motivo } },
];
