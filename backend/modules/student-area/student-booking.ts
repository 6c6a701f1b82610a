import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { type BookingSettings, defaultBooking } from './student-booking.api.js';

/** All of the settings. */
export interface StudentBookingSet {
  type: 'StudentBookingSet';
  data: BookingSettings;
}

/** How students may book; the stream's id is the tenant's. */
export const studentBooking: Aggregate<BookingSettings, StudentBookingSet> = {
  name: 'student-booking',
  initialState: defaultBooking,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'StudentBookingSet':
        return data;
    }
  },
  events: { StudentBookingSet: { schemaVersion: 1 } },
};

export function decideSetBooking(state: BookingSettings, wanted: BookingSettings): StudentBookingSet[] {
  const names = Object.keys(wanted) as (keyof BookingSettings)[];
  return names.every((name) => state[name] === wanted[name])
    ? []
    : [{ type: 'StudentBookingSet', data: wanted }];
}

/** What free times are computed with: all of a day's are shown. */
export const limitsOf = ({ dias, duracao_min, intervalo_min, antecedencia_min }: BookingSettings) => ({
  ...{ dias, duracao_min, intervalo_min, antecedencia_min },
  por_dia: 24,
});

/** What a student has ahead. */
export interface Ahead {
  /** Scheduled and confirmed in the days that are shown: anybody may have booked the others with the student's phone. */
  agendadas: number;
  /** Those of all days that the student booked. */
  proprias: number;
}

/** Credits that no session ahead will use; null where the trainer asks for none. */
export const freeCredits = ({ exige_credito }: BookingSettings, saldo: number, { agendadas }: Ahead) =>
  exige_credito ? Math.max(0, saldo - agendadas) : null;

/** Why a student may not book now; null where it may. */
export function obstacle(
  settings: BookingSettings,
  saldo: number,
  ahead: Ahead,
): 'booking_off' | 'too_many_open' | 'no_credit' | null {
  if (!settings.ativo) return 'booking_off';
  if (ahead.proprias >= settings.abertas) return 'too_many_open';
  return freeCredits(settings, saldo, ahead) === 0 ? 'no_credit' : null;
}

export function refuseObstacle(settings: BookingSettings, saldo: number, ahead: Ahead): void {
  const code = obstacle(settings, saldo, ahead);
  if (code) throw new Problem(`student_area.${code}`);
}
