import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { read } from '../../lib/calls.js';
import { isTransient } from '../../lib/problem.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import classes from './auth-page.module.css';
import { NewcomerForm } from './newcomer-form.js';
import { findNewcomer } from './newcomer.js';
import { OpenPage } from './open-page.js';
import { providerNames } from './providers.js';
import { safePath } from './safe-path.js';

/** The page for somebody who signed in with Google or Apple and has no account yet. */
export default function NewcomerPage() {
  return (
    <OpenPage title="Complete o cadastro">
      <Page />
    </OpenPage>
  );
}

function Page() {
  const said = new URLSearchParams(useLocation().hash.slice(1));
  const ticket = said.get('ticket') ?? '';
  const destination = safePath(said.get('destino'));
  // Until this release, what is now at /aceitar was at /convite.
  const path = new URL(destination, location.origin).pathname;
  const convite = /^\/(?:aceitar|convite)\/([^/]+)$/.exec(path)?.[1];
  const [isOver, setOver] = useState(false);
  const newcomer = useQuery({
    queryKey: ['newcomers', ticket],
    queryFn: () => findNewcomer(ticket),
    staleTime: Infinity,
    gcTime: 0,
  });
  const invite = useQuery({
    queryKey: ['invites', convite],
    queryFn: ({ signal }) => read('GET /invites/:token', { of: [convite!], signal }),
    enabled: convite !== undefined,
    staleTime: Infinity,
  });

  const failed = newcomer.error ?? invite.error;
  if (isOver || (failed && !isTransient(failed))) {
    return (
      <Notice
        icon="link"
        title="Este cadastro expirou"
        wholePage
        role="alert"
        action={
          <Button component={Link} to={convite === undefined ? '/auth' : destination}>
            Começar de novo
          </Button>
        }
      >
        O cadastro tem validade de 1 hora, só no navegador em que você começou.
      </Notice>
    );
  }
  if (failed) {
    const retry = () => void Promise.all([newcomer.refetch(), convite !== undefined && invite.refetch()]);
    return <ErrorState error={failed} onRetry={retry} />;
  }
  if (!newcomer.data || (convite !== undefined && !invite.data)) return <Loading />;
  const { provider, email, nome } = newcomer.data;

  return (
    <>
      <header className={classes.hero}>
        <Logo size={44} withName />
        <h1 className={classes.tagline}>Complete o cadastro</h1>
        <p className={classes.subtitle}>
          {invite.data
            ? `${invite.data.personal.nome} convidou você`
            : 'Falta pouco para a sua agenda virar dinheiro'}
        </p>
      </header>
      <div className={classes.panel} data-plain>
        <p className={classes.provider}>
          Você vai entrar com {providerNames[provider]}: <strong>{email}</strong>
        </p>
        <NewcomerForm
          ticket={ticket}
          nome={nome}
          destination={invite.data ? '/aluno' : destination}
          invited={invite.data ? { token: convite!, student: invite.data.student } : null}
          onOver={() => setOver(true)}
        />
        <Button
          component={Link}
          to={convite === undefined ? '/auth' : destination}
          variant="subtle"
          fullWidth
        >
          Usar outra conta
        </Button>
      </div>
    </>
  );
}
