import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { useEffect } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { useAuth } from '../../lib/auth.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { LoginForm } from './login-form.js';
import { NewPasswordForm } from './new-password-form.js';
import { ProviderButtons } from './provider-buttons.js';
import { RegisterForm } from './register-form.js';
import { SecondFactorForm } from './second-factor-form.js';

/** Only a path of this site: `//elsewhere` and `https:` are addresses of others. */
const safePath = (wanted: string | null): string => (wanted && /^\/(?![/\\])/.test(wanted) ? wanted : '/');

/** What came back with somebody from a provider or a mail's link, by its code. */
const refusals: Record<string, string> = {
  signup_disabled: 'Nenhuma conta usa esse e-mail. Crie sua conta primeiro.',
  email_exists: 'Já existe uma conta com esse e-mail. Entre com e-mail e senha.',
  otp_expired: 'Este link expirou ou já foi usado. Peça outro.',
};

/** The code of what went wrong on the way here; the guard keeps the address that the person came back to. */
const refusalIn = (destination: string): string | null =>
  new URL(destination, location.origin).searchParams.get('error_code');

export default function AuthPage() {
  const { status } = useAuth();
  const [search, setSearch] = useSearchParams();
  const tab = search.get('aba') === 'cadastro' ? 'register' : 'login';

  useEffect(() => {
    document.title = 'Entrar · Rende';
  }, []);

  const refusal = search.get('error_code') ?? refusalIn(safePath(search.get('destino')));
  useEffect(() => {
    if (refusal === null) return;
    toast.error(refusals[refusal] ?? 'Não foi possível fazer login. Tente novamente.');
    setSearch({}, { replace: true });
  }, [refusal, setSearch]);

  if (status === 'loading') return <Loading />;
  if (status === 'signed-in') return <Navigate to={safePath(search.get('destino'))} replace />;

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
        <Logo size={44} withName />
        <h1 className={classes.tagline}>Sua agenda que vira dinheiro</h1>
        <p className={classes.subtitle}>Previsto × recebido e reserva sugerida</p>
      </header>
      <div className={classes.panel}>
        {status === 'second-factor' && <SecondFactorForm />}
        {status === 'new-password' && <NewPasswordForm />}
        {status === 'signed-out' && (
          <>
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
                <RegisterForm onRegistered={() => choose('login')} />
              </Tabs.Panel>
            </Tabs>
            <ProviderButtons />
          </>
        )}
      </div>
    </main>
  );
}
