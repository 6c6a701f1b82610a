import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { useAuth } from '../../lib/auth.js';
import { read } from '../../lib/calls.js';
import { codeOf, ProblemError } from '../../lib/problem.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { AcceptInvite } from './accept-invite.js';
import classes from './auth-page.module.css';
import { InvitedForm } from './invited-form.js';
import { OpenPage } from './open-page.js';
import { ProviderButtons } from './provider-buttons.js';
import { UsedInvite } from './used-invite.js';
import { useRefusal } from './use-refusal.js';

/** Spec 2, section 4: how long a message stays before /auth. */
const BEFORE_AUTH_MS = 2000;
const NOT_VALID = 'Convite inválido ou expirado';

export default function InvitePage() {
  return (
    <OpenPage title="Convite">
      <Page />
    </OpenPage>
  );
}

function Page() {
  const { token = '' } = useParams();
  const auth = useAuth();
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const [outcome, setOutcome] = useState<'valid' | 'done' | 'not-valid'>('valid');
  const invite = useQuery({
    queryKey: ['invites', token],
    queryFn: ({ signal }) => read('GET /invites/:token', { of: [token], signal }),
    // Read once: accepted here, it is used up, which is no news to who accepted it.
    enabled: ({ state }) => auth.status !== 'loading' && outcome === 'valid' && !state.data,
    gcTime: 0,
  });
  const isUsed = codeOf(invite.error) === 'invites.used';
  const refused =
    !isUsed &&
    invite.error instanceof ProblemError &&
    invite.error.status < 500 &&
    invite.error.status !== 429;
  const over = outcome === 'not-valid' || refused;

  useEffect(() => {
    if (over) toast.error(NOT_VALID);
  }, [over]);

  useEffect(() => {
    if (!over && outcome !== 'done') return undefined;
    const leave = setTimeout(() => void navigate('/auth', { replace: true }), BEFORE_AUTH_MS);
    return () => clearTimeout(leave);
  }, [over, outcome, navigate]);

  useRefusal(search.get('error_code'), () => setSearch({}, { replace: true }));

  const refuse = useCallback(() => setOutcome('not-valid'), []);

  if (over) {
    return (
      <DeadLink
        title={NOT_VALID}
        action={
          <Button component={Link} to="/auth" variant="default">
            Ir para o login
          </Button>
        }
      />
    );
  }
  if (isUsed && outcome === 'valid')
    return <UsedInvite token={token} isSignedIn={auth.status === 'signed-in'} />;
  if (outcome === 'done') return <Notice icon="check" title="Conta criada com sucesso!" wholePage />;
  if (invite.error) return <ErrorState error={invite.error} onRetry={() => void invite.refetch()} />;
  if (!invite.data || auth.status === 'loading') return <Loading />;
  const { personal, student } = invite.data;

  return (
    <>
      <header className={classes.hero}>
        <Logo size={44} withName />
        <h1 className={classes.tagline}>{personal.nome} convidou você</h1>
        <p className={classes.subtitle}>
          {auth.status === 'signed-in'
            ? `Aceite o convite para ${student.nome} com a sua conta`
            : `Convite para ${student.nome}: crie a conta para agendar as aulas`}
        </p>
      </header>
      <div className={classes.panel} data-plain>
        {auth.status === 'signed-in' ? (
          <AcceptInvite token={token} email={auth.email} onNotValid={refuse} />
        ) : (
          <>
            <InvitedForm
              token={token}
              student={student}
              onDone={() => setOutcome('done')}
              onNotValid={refuse}
            />
            <ProviderButtons backTo={`/aceitar/${token}`} />
          </>
        )}
      </div>
    </>
  );
}
