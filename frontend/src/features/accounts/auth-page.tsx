import { Tabs, Button } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import * as z from 'zod/mini';
import { useAuth, auth } from '../../lib/auth.js';
import { whenReachable } from '../../lib/chunks.js';
import { STUDENT_DOORS } from '../../lib/student-pages.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { storedSession } from '../../lib/auth-storage.js';
import { useBodyForm } from '../../lib/form.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { answered } from '../../lib/auth-refusals.js';
import classes from './auth-page.module.css';
import { LoginForm } from './login-form.js';
import { mailLinkIn } from './mail-link.js';
import { newPassword, NewPasswordField, notGuessableOf } from './account-fields.js';
import { ProviderButtons } from './provider-buttons.js';
import { safePath } from './safe-path.js';
import { useRefusal } from './use-refusal.js';

const LinkFromElsewhere = lazy(() => whenReachable(() => import('./link-from-elsewhere.js')));
const RegisterForm = lazy(() => whenReachable(() => import('./register-form.js')));
const SecondFactorForm = lazy(() => whenReachable(() => import('./second-factor-form.js')));

const pathIn = (destination: string): string => new URL(destination, location.origin).pathname;

/** The error code of a failed return to the application; the guard keeps the address that the person came back to. */
const refusalIn = (destination: string): string | null =>
  new URL(destination, location.origin).searchParams.get('error_code');

export default function AuthPage() {
  const state = useAuth();
  const { status } = state;
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const link = mailLinkIn(useLocation().hash);
  const tab = search.get('aba') === 'cadastro' ? 'register' : 'login';

  useEffect(() => {
    document.title = 'Entrar · Rende';
  }, []);

  const destination = safePath(search.get('destino'));
  const refusal = search.get('error_code') ?? refusalIn(destination);
  useRefusal(refusal, () => setSearch({}, { replace: true }));

  if (status === 'loading') return <Loading />;
  if (status === 'signed-in') return <Navigate to={destination} replace />;

  // `de`: a student has signed out here.
  const isStudents = search.get('de') === 'aluno' || STUDENT_DOORS.test(pathIn(destination));
  const choose = (value: string | null) =>
    setSearch(
      (current) => {
        if (value === 'register') current.set('aba', 'cadastro');
        else current.delete('aba');
        return current;
      },
      { replace: true },
    );

  return (
    <main className={classes.page}>
      <header className={classes.hero}>
        <Logo size={44} />
        {/* The same as in index.html. */}
        <h1 className={classes.tagline}>
          {isStudents ? 'Suas aulas com seu personal' : 'Sua agenda que vira dinheiro'}
        </h1>
        <p className={classes.subtitle}>
          {isStudents ? 'Entre para ver, agendar e remarcar' : 'Previsto × recebido e reserva sugerida'}
        </p>
      </header>
      <div className={classes.panel} data-plain={isStudents || undefined}>
        {status === 'second-factor' && (
          <Suspense fallback={<Loading />}>
            <SecondFactorForm />
          </Suspense>
        )}
        {status === 'new-password' && <NewPasswordForm />}
        {status === 'signed-out' && link && (
          <Suspense fallback={<Loading />}>
            <LinkFromElsewhere link={link} onBack={() => void navigate('/auth', { replace: true })} />
          </Suspense>
        )}
        {status === 'signed-out' && !link && (
          <>
            {state.ended && (
              <p role="status" className={classes.ended}>
                Sua conta foi desconectada deste aparelho. Entre de novo para continuar de onde parou.
              </p>
            )}
            {isStudents ? (
              // Accounts of students come from invites.
              <>
                <LoginForm />
                <p className={classes.hint}>
                  Ainda não tem conta?{' '}
                  {destination.startsWith('/aceitar/') ? (
                    <Link to={destination}>Crie a sua pelo convite</Link>
                  ) : (
                    'Peça um convite ao seu personal.'
                  )}
                </p>
              </>
            ) : (
              <Tabs
                value={tab}
                onChange={choose}
                keepMounted={false}
                classNames={{ tab: classes.tab, list: classes.tabs }}
              >
                <Tabs.List grow>
                  <Tabs.Tab value="login">Entrar</Tabs.Tab>
                  <Tabs.Tab value="register">Criar conta</Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value="login">
                  <LoginForm />
                </Tabs.Panel>
                <Tabs.Panel value="register">
                  <Suspense fallback={<Loading />}>
                    <RegisterForm />
                  </Suspense>
                </Tabs.Panel>
              </Tabs>
            )}
            <ProviderButtons backTo={destination} />
          </>
        )}
      </div>
    </main>
  );
}

/** Sets a new password after a recovery mail. */
function NewPasswordForm() {
  const user = storedSession()?.user;
  const owner = { email: user?.email ?? '', nome: String(user?.user_metadata.nome ?? '') };
  const form = useBodyForm({
    initialValues: { password: '' },
    schema: z.object({ password: newPassword }).check(notGuessableOf(owner)),
    toBody: (values) => values,
  });

  return (
    <>
      <h2 className={classes.step}>Crie uma nova senha</h2>
      <p className={classes.hint}>Os outros aparelhos serão desconectados.</p>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          failure: 'Erro ao salvar a senha. Tente novamente.',
          save: async (body) => {
            await answered((await auth()).updateUser(body));
            toast.success('Senha alterada');
          },
        })}
      >
        <NewPasswordField label="Nova senha" autoFocus {...form.getInputProps('password')} />
        <Button type="submit" loading={form.submitting}>
          Salvar nova senha
        </Button>
      </FormStack>
    </>
  );
}
