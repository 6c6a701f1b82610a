import type { Aggregate, PersonalFields } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { daysAfter, type Pattern, type Stretch } from './pattern.js';
import type { SeriesScope, SkipReason } from './series.api.js';
import type { Reassigned } from '../students/reassigned.js';

/** A stretch with its rule (RFC 5545). */
export type RuledStretch = Stretch & { rrule: string };

export interface Occurrence {
  data: string;
  session_id: string;
}

/** `motivo`: the obstacle, or a pause of the student; null if the trainer left the date out for another reason. */
export interface Skipped {
  data: string;
  motivo: SkipReason | null;
}

/** The sessions and skipped dates up to `preenchida_ate`. */
interface Filled {
  preenchida_ate: string;
  sessoes: Occurrence[];
  puladas: Skipped[];
}

interface About {
  series_id: string;
  student_id: string;
}

/** An undoable command, with the series after it. */
interface Change extends About {
  mudanca_id: string;
  ate: string | null;
  trechos: RuledStretch[];
}

/** A session that changed with its series: its new times, and its old values. */
export interface ChangedSession {
  session_id: string;
  inicio: string;
  fim: string;
  inicio_antes: string;
  fim_antes: string;
  /** Its old location and notes, if those changed. */
  antes: { location_id?: string | null; observacoes?: string | null };
}

export type SeriesEvent =
  | {
      type: 'SeriesStarted';
      data: Change & Pattern & Filled & { vezes: number | null; timezone: string };
    }
  /** The next sessions were booked, and dates that a pause had left out. */
  | { type: 'SeriesExtended'; data: About & Filled }
  | {
      type: 'SeriesChanged';
      /** `mantidas`: how many sessions had obstacles and did not change. */
      data: Change & { escopo: SeriesScope; desde: string; sessoes: ChangedSession[]; mantidas: number };
    }
  | {
      type: 'SeriesEnded';
      data: Change & {
        escopo: SeriesScope;
        desde: string;
        como: 'cancelada' | 'excluida';
        sessoes: string[];
      };
    }
  | {
      type: 'SeriesDaysChanged';
      /** `dias`: new days of the week. `sessoes` were booked, `excluidas` removed. */
      data: Change & {
        escopo: SeriesScope;
        desde: string;
        dias: number[];
        sessoes: Occurrence[];
        excluidas: string[];
        puladas: Skipped[];
      };
    }
  /** The series shares its hours with all series of this `turma_id`. */
  | { type: 'SeriesJoined'; data: About & { turma_id: string } }
  /** The stretches were converted to the trainer's new zone; the sessions keep their instants. */
  | { type: 'SeriesZoneChanged'; data: About & { timezone: string; trechos: RuledStretch[] } }
  | { type: 'SeriesUndone'; data: Change & { desfez: LastChange['tipo']; removida: boolean } }
  | { type: 'SeriesReassigned'; data: About & Reassigned };

/** The last change of the series as a whole, which can be undone. */
export type LastChange = { mudanca_id: string } & (
  | { tipo: 'criada' }
  | {
      tipo: 'alterada';
      sessoes: ChangedSession[];
      antes: Former;
    }
  | {
      tipo: 'cancelada' | 'excluida';
      sessoes: string[];
      antes: Former;
    }
  | {
      tipo: 'dias';
      sessoes: string[];
      excluidas: string[];
      antes: Former;
    }
);

type Former = Pick<KnownSeries, 'ate' | 'trechos' | 'vezes' | 'movidas'>;

export interface KnownSeries extends About, Pattern {
  timezone: string;
  trechos: RuledStretch[];
  /** The stretches in former time zones. */
  contados: { timezone: string; trechos: RuledStretch[] }[];
  /**
   * The zone in which the series moved a session, by the session's id; other sessions have times in the zone in which
   * they were booked.
   */
  movidas: Readonly<Record<string, string>>;
  /** The number of its dates; null for a series with a last day, or without an end. */
  vezes: number | null;
  /** Id that the series has in common with those that share its hours. */
  turma_id: string | null;
  preenchida_ate: string;
  sessoes: Occurrence[];
  /** Dates that were left out because of a pause, and may be booked if it ends earlier. */
  pausadas: string[];
  /** Whether its creation was undone. */
  removida: boolean;
  ultima: LastChange | null;
}

/** Undefined until it is started. */
export type SeriesState = KnownSeries | undefined;

const person = ({ student_id }: About) => student_id;
/** The notes are the student's, the address of an online service is the trainer's. */
const texts: readonly PersonalFields<About & Pick<Change, 'trechos'>>[] = [
  { person, fields: ['trechos[].observacoes'] },
  { person: (_data, tenantId) => tenantId, fields: ['trechos[].servico.endereco'] },
];
const uses = ({ student_id, trechos }: Change) => ({
  student: student_id,
  location: trechos.at(-1)?.location_id ?? null,
});

export const series: Aggregate<SeriesState, SeriesEvent> = {
  name: 'series',
  initialState: undefined,
  evolve,
  events: {
    SeriesStarted: { schemaVersion: 1, personal: texts, uses },
    SeriesExtended: { schemaVersion: 1, uses: 'nothing new' },
    SeriesChanged: {
      schemaVersion: 1,
      personal: [...texts, { person, fields: ['sessoes[].antes.observacoes'] }],
      uses,
    },
    SeriesEnded: {
      schemaVersion: 1,
      personal: texts,
      uses: 'nothing new',
    },
    SeriesDaysChanged: {
      schemaVersion: 1,
      personal: texts,
      uses: 'nothing new',
    },
    SeriesJoined: { schemaVersion: 1, uses: 'nothing new' },
    SeriesZoneChanged: {
      schemaVersion: 1,
      personal: texts,
      uses: 'nothing new',
    },
    SeriesUndone: {
      schemaVersion: 1,
      personal: texts,
      uses: 'nothing new',
    },
    SeriesReassigned: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
  },
};

function evolve(state: SeriesState, { type, data }: SeriesEvent): SeriesState {
  if (type === 'SeriesStarted') {
    const { series_id, student_id, dias, intervalo, inicio, ate, trechos, vezes, sessoes } = data;
    const about = { series_id, student_id, dias, intervalo, inicio, ate, trechos, vezes, sessoes };
    const { preenchida_ate, timezone } = data;
    return {
      ...about,
      preenchida_ate,
      timezone,
      contados: [],
      movidas: {},
      turma_id: null,
      pausadas: [],
      removida: false,
      ultima: { mudanca_id: data.mudanca_id, tipo: 'criada' },
    };
  }
  if (!state) return undefined;
  const antes = { ate: state.ate, trechos: state.trechos, vezes: state.vezes, movidas: state.movidas };
  switch (type) {
    case 'SeriesExtended': {
      const { preenchida_ate, sessoes, puladas } = data;
      const decided = new Set([...sessoes, ...puladas].map((one) => one.data));
      const paused = puladas.filter(({ motivo }) => motivo === 'pausa').map((one) => one.data);
      const pausadas = [...state.pausadas.filter((one) => !decided.has(one)), ...paused];
      return { ...state, preenchida_ate, pausadas, sessoes: [...state.sessoes, ...sessoes], ultima: null };
    }
    case 'SeriesChanged': {
      const { mudanca_id, ate, trechos, sessoes } = data;
      const moved = sessoes.filter((one) => one.inicio !== one.inicio_antes || one.fim !== one.fim_antes);
      const clocks = Object.fromEntries(moved.map(({ session_id }) => [session_id, state.timezone]));
      const movidas = { ...state.movidas, ...clocks };
      return { ...state, ate, trechos, movidas, ultima: { mudanca_id, tipo: 'alterada', sessoes, antes } };
    }
    case 'SeriesEnded': {
      const { mudanca_id, ate, trechos, sessoes, como } = data;
      return { ...state, ate, trechos, vezes: null, ultima: { mudanca_id, tipo: como, sessoes, antes } };
    }
    case 'SeriesDaysChanged': {
      const { mudanca_id, ate, trechos, excluidas } = data;
      const sessoes = data.sessoes.map(({ session_id }) => session_id);
      return {
        ...state,
        ate,
        trechos,
        sessoes: [...state.sessoes, ...data.sessoes],
        ultima: { mudanca_id, tipo: 'dias', sessoes, excluidas, antes },
      };
    }
    case 'SeriesJoined':
      return { ...state, turma_id: data.turma_id };
    case 'SeriesZoneChanged': {
      const { timezone, trechos } = data;
      const contados = [...state.contados, { timezone: state.timezone, trechos: state.trechos }];
      return { ...state, timezone, trechos, contados, ultima: null };
    }
    case 'SeriesUndone': {
      const { ate, trechos, removida } = data;
      const { vezes, movidas } = state.ultima && 'antes' in state.ultima ? state.ultima.antes : state;
      return { ...state, ate, trechos, vezes, movidas, removida, ultima: null };
    }
    case 'SeriesReassigned':
      return { ...state, student_id: data.student_id };
  }
}

/** @throws Problem 404 for an unknown series, or one whose creation was undone */
export function existingSeries(state: SeriesState): KnownSeries {
  if (!state || state.removida) throw new Problem('series.not_found');
  return state;
}

/** The last change, if it is this one. @throws Problem 409 if there was a later one */
export function undoable({ ultima }: KnownSeries, mudanca_id: string): LastChange {
  if (ultima?.mudanca_id !== mudanca_id)
    throw new Problem('series.cannot_undo', { detail: 'O horário fixo já mudou depois disso.' });
  return ultima;
}

/** The pattern and stretches of a series that ends before a date. */
export function endedBefore(
  { ate, trechos }: Pick<KnownSeries, 'ate' | 'trechos'>,
  desde: string,
): { ate: string; trechos: RuledStretch[] } {
  const last = daysAfter(desde, -1);
  const end = ate !== null && ate < last ? ate : last;
  const kept = trechos.filter((stretch) => stretch.desde <= end);
  return { ate: end, trechos: kept.length > 0 ? kept : trechos.slice(0, 1) };
}
