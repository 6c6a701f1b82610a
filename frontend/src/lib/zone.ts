import { createContext, useContext } from 'react';
import { todayIn, type Day } from './dates.js';

/** The IANA zone of the tenant, in which every time is shown and typed. */
export const ZoneContext = createContext('America/Sao_Paulo');

export const useZone = (): string => useContext(ZoneContext);

export const useToday = (): Day => todayIn(useZone());
