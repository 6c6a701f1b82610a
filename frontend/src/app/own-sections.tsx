import { type ReactNode, useDeferredValue } from 'react';
import { OwnSessions } from '../features/agenda/own-sessions.js';
import { useOwnSessions } from '../features/agenda/own-sessions.queries.js';
import { OwnCharges } from '../features/charges/own-charges.js';
import { useOwnCharges } from '../features/charges/own-charges.queries.js';
import { ContractsToSign } from '../features/contracts/own-contracts.js';
import { useOwnContracts } from '../features/contracts/own-contracts.queries.js';
import { useOwnBalance } from '../features/credits/own-balance.queries.js';
import { OwnBalance } from '../features/credits/own-balance.js';
import { useHasLoaded } from '../lib/has-loaded.js';
import { Loading } from '../ui/loading.js';
import { Skeletons } from '../ui/states.js';

/**
 * The sections of the student's home. They are shown together, because a section that arrived later would push down the rest.
 * A query that fails is not waited for: its section shows the error.
 */
export function OwnSections({ children }: { children: ReactNode }) {
  const reads = [useOwnSessions(), useOwnBalance(), useOwnCharges(), useOwnContracts()];
  const waits = reads.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const shown = useDeferredValue(useHasLoaded(waits));
  if (!shown)
    return (
      <Loading>
        <Skeletons height={112} />
      </Loading>
    );
  return (
    <>
      <OwnSessions />
      <OwnBalance />
      <OwnCharges />
      <ContractsToSign />
      {children}
    </>
  );
}
