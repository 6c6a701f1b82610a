import { timeOf } from '../../platform/portuguese.js';

/** "Ocupado no outro calendário das 7:00 às 8:00"; times in milliseconds since 1970. */
export const busyElsewhere = ({ from, to }: { from: number; to: number }, zone: string): string =>
  `Ocupado no outro calendário das ${timeOf(new Date(from), zone)} às ${timeOf(new Date(to), zone)}`;
