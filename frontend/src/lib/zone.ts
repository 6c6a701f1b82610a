import { createContext, useContext, useSyncExternalStore } from 'react';
import { timeOf, todayIn, type Day, type Time } from './dates.js';

/** The IANA zone of the tenant, in which all times are shown and typed. */
export const ZoneContext = createContext('America/Sao_Paulo');

export const useZone = (): string => useContext(ZoneContext);

const MINUTE_MS = 60_000;

/** Calls back at each new minute, and when the page becomes visible. */
function onMinute(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    timer = setTimeout(
      () => {
        listener();
        wait();
      },
      MINUTE_MS - (Date.now() % MINUTE_MS),
    );
  };
  wait();
  document.addEventListener('visibilitychange', listener);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Today's date; it is updated at midnight. */
export function useToday(): Day {
  const zone = useZone();
  return useSyncExternalStore(onMinute, () => todayIn(zone));
}

/** The time by the clocks of the zone, to the minute. */
export function useTimeNow(): Time {
  const zone = useZone();
  return useSyncExternalStore(onMinute, () => timeOf(new Date(), zone));
}

/** The current minute, in milliseconds. */
export const useNow = (): number =>
  useSyncExternalStore(onMinute, () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
