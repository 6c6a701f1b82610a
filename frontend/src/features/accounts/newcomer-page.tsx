import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import * as z from 'zod/mini';
import { type SignUpData, signUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import {
  INVITE_NOT_VALID,
  type Invite,
  type InvitedData,
  invitedData,
} from '../../../../backend/modules/accounts/invites.api.js';
import { requiredTerms } from '../../../../backend/modules/general-terms/general-terms.api.js';
import type { NewcomerAnswer } from '../../../../backend/modules/accounts/auth/newcomers.api.js';
import { read } from '../../lib/calls.js';
import { isTransient, codeOf } from '../../lib/problem.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { Notice } from '../../ui/notice.js';
import { ErrorState } from '../../ui/states.js';
import { useBodyForm } from '../../lib/form.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { auth } from '../../lib/auth.js';
import { codeVerifier } from '../../lib/auth-storage.js';
import { askAuth } from '../../lib/auth-http.js';
import { answered } from '../../lib/auth-refusals.js';
import classes from './auth-page.module.css';
import {
  agreement,
  emptyOf,
  filled,
  InvitedFields,
  NameField,
  TermsField,
  TRAINER_FIELDS,
  TrainerFields,
} from './person-fields.js';
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
        <Logo size={44} />
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

type Registration = SignUpData | InvitedData;

const newTrainer = z.extend(signUpData, { termos: requiredTerms });
const invitedNewcomer = z.extend(invitedData, { termos: requiredTerms });

/** Complete messages for some errors. */
const refusals: Readonly<Record<string, string>> = {
  user_already_exists: 'Usuário já cadastrado. Faça login.',
  [INVITE_NOT_VALID]: 'Convite inválido ou expirado',
};

interface NewcomerFormProps {
  ticket: string;
  /** The name from the provider. */
  nome: string;
  /** Path to go to afterwards. */
  destination: string;
  /** The invite that the person follows, if any. */
  invited: { token: string; student: Invite['student'] } | null;
  /** Called if the ticket is used or expired. */
  onOver: () => void;
}

/** Form for the fields that the provider does not give; creates the account. */
function NewcomerForm({ ticket, nome, destination, invited, onOver }: NewcomerFormProps) {
  const navigate = useNavigate();
  const form = useBodyForm({
    initialValues: {
      nome: nome || (invited?.student.nome ?? ''),
      cpf: '',
      data_nascimento: '',
      telefone: '',
      termos: false,
    },
    schema: invited ? invitedNewcomer : newTrainer,
    toBody: ({ termos, ...values }) => ({
      ...filled(values),
      ...agreement(termos),
      ...(invited && { convite: invited.token }),
    }),
    check: (values) => emptyOf(invited ? ['nome'] : TRAINER_FIELDS, values),
  });

  const register = async (data: Registration) => {
    try {
      await signUpNewcomer(ticket, data);
    } catch (error) {
      if (!['flow_state_not_found', 'bad_code_verifier'].includes(codeOf(error) ?? '')) throw error;
      return onOver();
    }
    toast.success('Conta criada com sucesso!');
    return navigate(destination, { replace: true });
  };

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        save: register,
        failure: 'Erro ao criar conta. Tente novamente.',
        says: (error) => refusals[codeOf(error) ?? ''],
      })}
    >
      <NameField form={form} />
      {invited ? <InvitedFields form={form} /> : <TrainerFields form={form} />}
      <TermsField form={form} />
      <Button type="submit" loading={form.submitting}>
        Criar conta
      </Button>
    </FormStack>
  );
}

const proof = (ticket: string) => ({ ticket, code_verifier: codeVerifier() ?? '' });

/** A person whom a provider has identified. The ticket is valid only in the browser that began the sign-in. */
const findNewcomer = (ticket: string) =>
  askAuth<NewcomerAnswer>('POST', 'signup/provider/person', proof(ticket));

/** Creates the person's account, and signs in. */
async function signUpNewcomer(ticket: string, data: SignUpData | InvitedData): Promise<void> {
  const body = { ...proof(ticket), data };
  const tokens = await askAuth<{ access_token: string; refresh_token: string }>(
    'POST',
    'signup/provider',
    body,
  );
  await answered((await auth()).setSession(tokens));
}
