import { fetchPart } from './chunks.js';

const load = () => import('../../../backend/modules/students/phone-abroad.api.js');

export type PhonesAbroad = Awaited<ReturnType<typeof load>>;

/** What tells the phones of other countries apart; with it, forms refuse what the server would. */
export const loadPhonesAbroad = (): Promise<PhonesAbroad> => fetchPart(load);
