import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useEffectEvent } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { useAuth } from '../../lib/auth.js';
import { read } from '../../lib/calls.js';
import { codeOf, ProblemError, messageOf, isTransient } from '../../lib/problem.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { useSend } from '../../lib/command.js';
import { preferPlace } from '../../lib/tenant.js';
import classes from './auth-page.module.css';
import { signOut } from './sign-out.js';
import { InvitedForm } from './invited-form.js';
import { OpenPage } from './open-page.js';
import { ProviderButtons } from './provider-buttons.js';
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
  const { personal, student, alunos } = invite.data;
  const lessons = alunos ? `as aulas de ${new Intl.ListFormat('pt-BR').format(alunos)}` : 'as aulas';

  return (
    <>
      <header className={classes.hero}>
        <Logo size={44} />
        <h1 className={classes.tagline}>{personal.nome} convidou você</h1>
        <p className={classes.subtitle}>
          {auth.status === 'signed-in'
            ? `Aceite o convite para ${student.nome}${alunos ? ` ver ${lessons}` : ''} com a sua conta`
            : `Convite para ${student.nome}: crie a conta para agendar ${lessons}`}
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

interface AcceptInviteProps {
  token: string;
  email: string;
  onNotValid: () => void;
}

/** Accepts an invite with the account that is signed in. */
function AcceptInvite({ token, email, onNotValid }: AcceptInviteProps) {
  const { accept, isPending } = useAcceptance(token);

  const onAccept = async () => {
    try {
      await accept();
      toast.success('Convite aceito');
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'invites.not_valid') onNotValid();
      else toast.error('Erro ao aceitar o convite', { description: messageOf(error) });
    }
  };

  return (
    <div className={classes.stack}>
      <p className={classes.account}>
        Você entrou como <strong>{email}</strong>.
      </p>
      <Button loading={isPending} onClick={() => void onAccept()}>
        Aceitar convite
      </Button>
      <Button variant="default" onClick={() => void signOut()}>
        Usar outra conta
      </Button>
    </div>
  );
}

/** An invite that was used: by the account that is signed in, whom it leads to its student's page, or by another one. */
function UsedInvite({ token, isSignedIn }: { token: string; isSignedIn: boolean }) {
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

/** Accepts an invite, once for whoever has accepted it before, and opens the page of its student. */
function useAcceptance(token: string): { accept: () => Promise<void>; isPending: boolean } {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useSend('POST /invites/accept');
  const accept = async () => {
    const { student_id } = await mutateAsync({ token });
    preferPlace(student_id);
    void navigate('/aluno', { replace: true });
  };
  return { accept, isPending };
}
