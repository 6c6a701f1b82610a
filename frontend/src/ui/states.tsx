import { Button, Skeleton } from '@mantine/core';
import { useDeferredValue, type ReactNode } from 'react';
import { isTransient, messageOf, NetworkError, ProblemError } from '../lib/problem.js';
import { Icon } from './icon.js';
import { Loading } from './loading.js';
import { Notice } from './notice.js';
import classes from './states.module.css';

interface ErrorStateProps {
  error: unknown;
  title?: string | undefined;
  onRetry?: () => void;
}

/** The message of a failed load: no permission, not found, or the reason and a button to try again. */
export function ErrorState({ error, title = 'Não foi possível carregar', onRetry }: ErrorStateProps) {
  const status = error instanceof ProblemError ? error.status : 0;
  if (status === 403)
    return (
      <Notice icon="shield" title="Acesso Negado" role="alert">
        {messageOf(error)}
      </Notice>
    );
  if (status === 404) return <Notice icon="search" title={messageOf(error)} role="alert" />;
  // A read has no fields except its address: the link is incomplete or mistyped, and a retry does not help.
  if (status === 400)
    return (
      <Notice icon="search" title="Página não encontrada" role="alert">
        O endereço pode ter mudado ou sido digitado errado.
      </Notice>
    );
  return (
    <Notice
      icon={error instanceof NetworkError ? 'offline' : 'alert'}
      title={title}
      role="alert"
      action={
        onRetry && (
          <Button variant="default" onClick={onRetry} leftSection={<Icon name="renew" size={18} />}>
            Tentar de novo
          </Button>
        )
      }
    >
      {isTransient(error) || status >= 400
        ? messageOf(error)
        : 'Algo deu errado ao mostrar esta parte da tela.'}
    </Notice>
  );
}

/** Content that needs a network and is not in the offline cache. */
function OfflineState() {
  return (
    <Notice icon="offline" title="Sem internet" role="status">
      Estes dados não estão guardados neste aparelho. Eles aparecem quando a internet voltar.
    </Notice>
  );
}

interface SkeletonsProps {
  count?: number;
  /** Pixels. */
  height?: number;
  /** `cards` and `grid`, whose items are small: side by side if there is room. */
  layout?: 'list' | 'cards' | 'grid';
}

export function Skeletons({ count = 4, height = 64, layout = 'list' }: SkeletonsProps) {
  return (
    <div className={classes[layout]}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} radius="lg" />
      ))}
    </div>
  );
}

interface Loadable<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  /** Whether the data is that of another question, shown until this one is answered. */
  isPlaceholderData?: boolean;
  refetch: () => unknown;
}

interface AsyncProps<Data> {
  of: Loadable<Data>;
  /** Shown while loading: the shape of the content. */
  skeleton?: ReactNode;
  /** Title of the error if nothing could be loaded. */
  failure?: string | undefined;
  children: (data: Data) => ReactNode;
}

/**
 * Loaded content: first its skeleton, then the content; an error, or that it waits for a network, only if there is
 * nothing to show. The content is rendered as a transition, so that taps and keys are handled meanwhile.
 */
export function Async<Data>({ of, skeleton, failure, children }: AsyncProps<Data>) {
  const arrived = useDeferredValue(of.data !== undefined);
  if (of.isPlaceholderData && of.fetchStatus === 'paused') return <OfflineState />;
  if (of.data !== undefined) return arrived ? <>{children(of.data)}</> : <Loading>{skeleton}</Loading>;
  if (of.fetchStatus === 'paused') return <OfflineState />;
  if (of.isPending) return <Loading>{skeleton}</Loading>;
  return <ErrorState error={of.error} title={failure} onRetry={() => void of.refetch()} />;
}
