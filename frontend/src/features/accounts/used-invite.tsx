import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { isTransient } from '../../lib/problem.js';
import { Loading } from '../../ui/loading.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { useAcceptance } from './use-acceptance.js';

/** An invite that was used: by the account that is signed in, whom it leads to its student's page, or by another one. */
export function UsedInvite({ token, isSignedIn }: { token: string; isSignedIn: boolean }) {
  const { accept } = useAcceptance(token);
  const [failure, setFailure] = useState<unknown>(null);
  // Accepted once more, which changes nothing, an own invite is answered as the first time.
  const open = () => void accept().catch(setFailure);
  const atOnce = useEffectEvent(open);

  useEffect(() => {
    if (isSignedIn) atOnce();
  }, [isSignedIn]);

  if (isSignedIn && failure === null) return <Loading />;
  if (failure !== null && isTransient(failure))
    return (
      <ErrorState
        error={failure}
        onRetry={() => {
          setFailure(null);
          open();
        }}
      />
    );
  const to = isSignedIn ? '/' : `/auth?${new URLSearchParams({ destino: `/aceitar/${token}` }).toString()}`;
  return (
    <Notice
      icon="link"
      title="Este convite já foi usado"
      wholePage
      role="alert"
      action={
        <Button component={Link} to={to}>
          {isSignedIn ? 'Ir para a minha área' : 'Entrar'}
        </Button>
      }
    >
      {isSignedIn ? 'Foi com outra conta, não com a sua.' : 'Entre com a sua conta para ver as aulas.'}
    </Notice>
  );
}
