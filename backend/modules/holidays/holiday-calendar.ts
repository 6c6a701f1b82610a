import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { Holiday, NewHoliday } from './holidays.api.js';

export type HolidayEvent =
  | { type: 'HolidayAdded'; data: { holiday_id: string; nome: string | null; data: string; anual: boolean } }
  | { type: 'HolidayRemoved'; data: { holiday_id: string } }
  | { type: 'HolidayRestored'; data: { holiday_id: string } }
  /** The name of a national holiday, or the id of the trainer's own. */
  | { type: 'HolidaySwitched'; data: { holiday_id: string; ativo: boolean } };

interface OwnHoliday {
  id: string;
  /** Null once the trainer's key is gone. */
  nome: string | null;
  data: string;
  anual: boolean;
  removido: boolean;
}

export interface HolidayState {
  proprios: OwnHoliday[];
  /** Only those that differ from their default. */
  ligados: Record<string, boolean>;
}

/** The trainer's holidays; the stream's id is the tenant's. */
export const holidays: Aggregate<HolidayState, HolidayEvent> = {
  name: 'holidays',
  initialState: { proprios: [], ligados: {} },
  evolve(state, { type, data }) {
    const removed = (removido: boolean) => ({
      ...state,
      proprios: state.proprios.map((own) => (own.id === data.holiday_id ? { ...own, removido } : own)),
    });
    switch (type) {
      case 'HolidayAdded': {
        const { holiday_id: id, nome, data: date, anual } = data;
        return { ...state, proprios: [...state.proprios, { id, nome, data: date, anual, removido: false }] };
      }
      case 'HolidayRemoved':
        return removed(true);
      case 'HolidayRestored':
        return removed(false);
      case 'HolidaySwitched': {
        const { [data.holiday_id]: _, ...others } = state.ligados;
        const isDefault = isOnByDefault(data.holiday_id) === data.ativo;
        return { ...state, ligados: isDefault ? others : { ...others, [data.holiday_id]: data.ativo } };
      }
    }
  },
  events: {
    HolidayAdded: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['nome'] },
    },
    HolidayRemoved: { schemaVersion: 1 },
    HolidayRestored: { schemaVersion: 1 },
    HolidaySwitched: { schemaVersion: 1 },
  },
};

interface KnownHoliday {
  id: string;
  nome: string;
  /** Month and day, or days after Easter Sunday. */
  on: string | number;
  since?: number;
}

const national: readonly KnownHoliday[] = [
  { id: 'ano-novo', nome: 'Confraternização Universal', on: '01-01' },
  { id: 'sexta-santa', nome: 'Sexta-feira Santa', on: -2 },
  { id: 'tiradentes', nome: 'Tiradentes', on: '04-21' },
  { id: 'trabalho', nome: 'Dia do Trabalho', on: '05-01' },
  { id: 'independencia', nome: 'Independência do Brasil', on: '09-07' },
  { id: 'aparecida', nome: 'Nossa Senhora Aparecida', on: '10-12' },
  { id: 'finados', nome: 'Finados', on: '11-02' },
  { id: 'republica', nome: 'Proclamação da República', on: '11-15' },
  { id: 'consciencia-negra', nome: 'Dia da Consciência Negra', on: '11-20', since: 2024 },
  { id: 'natal', nome: 'Natal', on: '12-25' },
];

/** Days on which many people do not work: switched off by default. */
const optional: readonly KnownHoliday[] = [
  { id: 'carnaval-segunda', nome: 'Carnaval (segunda)', on: -48 },
  { id: 'carnaval-terca', nome: 'Carnaval (terça)', on: -47 },
  { id: 'corpus-christi', nome: 'Corpus Christi', on: 60 },
];

const isOnByDefault = (id: string) => !optional.some((known) => known.id === id);

/** The holidays from `from` to `to`, by date, with whether each is switched on. */
export function holidaysBetween({ proprios, ligados }: HolidayState, from: string, to: string): Holiday[] {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const ativo = (id: string) => ligados[id] ?? isOnByDefault(id);
  const known = (list: readonly KnownHoliday[], tipo: Holiday['tipo']) =>
    years.flatMap((year) =>
      list
        .filter(({ since = 0 }) => year >= since)
        .map(({ id, nome, on }) => ({
          id,
          nome,
          data: dateIn(year, on),
          tipo,
          anual: true,
          ativo: ativo(id),
        })),
    );
  const own = proprios
    .filter(({ removido }) => !removido)
    .flatMap(({ id, nome, data, anual }) => {
      const dates = anual ? years.map((year) => `${year}${data.slice(4)}`).filter(isDate) : [data];
      const shown = { id, nome: nome ?? 'Feriado', tipo: 'proprio' as const, anual, ativo: ativo(id) };
      return dates.map((date) => ({ ...shown, data: date }));
    });
  return [...known(national, 'nacional'), ...known(optional, 'facultativo'), ...own]
    .filter(({ data }) => data >= from && data <= to)
    .toSorted((one, other) => (one.data < other.data ? -1 : one.data > other.data ? 1 : 0));
}

const DAY_MS = 86_400_000;
const textOf = (at: number) => new Date(at).toISOString().slice(0, 10);
/** Most years have no 29 February. */
const isDate = (date: string) =>
  textOf(Date.parse(`${date.slice(0, 8)}01`) + (Number(date.slice(8)) - 1) * DAY_MS) === date;

const dateIn = (year: number, on: string | number): string =>
  typeof on === 'string' ? `${year}-${on}` : textOf(easter(year) + on * DAY_MS);

/** Easter Sunday in the Gregorian calendar (Meeus, Jones and Butcher), as its midnight in UTC. */
export function easter(year: number): number {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

const MOST_OWN = 200;

export function decideAdd(
  { proprios }: HolidayState,
  holiday_id: string,
  { nome, data, anual }: NewHoliday,
): HolidayEvent[] {
  if (proprios.filter(({ removido }) => !removido).length >= MOST_OWN)
    throw new Problem('holidays.too_many', { detail: `São no máximo ${MOST_OWN} feriados seus.` });
  return [{ type: 'HolidayAdded', data: { holiday_id, nome, data, anual } }];
}

export function decideRemove(state: HolidayState, id: string): HolidayEvent[] {
  return ownHoliday(state, id).removido ? [] : [{ type: 'HolidayRemoved', data: { holiday_id: id } }];
}

/** Undoes a removal. */
export function decideRestore(state: HolidayState, id: string): HolidayEvent[] {
  if (!ownHoliday(state, id).removido) throw new Problem('holidays.not_removed');
  return [{ type: 'HolidayRestored', data: { holiday_id: id } }];
}

export function decideSwitch(state: HolidayState, id: string, ativo: boolean): HolidayEvent[] {
  const isKnown = [...national, ...optional].some((known) => known.id === id);
  if (!isKnown && ownHoliday(state, id).removido) throw new Problem('holidays.not_found');
  if ((state.ligados[id] ?? isOnByDefault(id)) === ativo) return [];
  return [{ type: 'HolidaySwitched', data: { holiday_id: id, ativo } }];
}

function ownHoliday({ proprios }: HolidayState, id: string): OwnHoliday {
  const own = proprios.find((candidate) => candidate.id === id);
  if (!own) throw new Problem('holidays.not_found');
  return own;
}

export const holidayName = (id: string): string =>
  [...national, ...optional].find((known) => known.id === id)?.nome ?? 'um feriado seu';
