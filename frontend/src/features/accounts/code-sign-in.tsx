import { Button } from '@mantine/core';
import { useState } from 'react';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { codeOf } from '../../lib/problem.js';
import { attempt, toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { MailedCode } from './mailed-code.js';
import { sentLately } from './sent-lately.js';

interface CodeSignInProps {
  email: string;
  onBack: () => void;
}

/** Sign-in with a mailed code, for accounts with too many wrong passwords. */
export default function CodeSignIn({ email, onBack }: CodeSignInProps) {
  const [isSent, setSent] = useState(false);
  const [sending, setSending] = useState(false);

  const ask = async () => {
    const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/auth` };
    await answered((await auth()).signInWithOtp({ email, options }));
  };

  const begin = async () => {
    setSending(true);
    await attempt(async () => {
      try {
        await ask();
      } catch (error) {
        if (codeOf(error) !== 'over_email_send_rate_limit') throw error;
        // The limit of codes is reached: the newest one is still valid, and so is its link in any browser.
        sentLately();
      }
      setSent(true);
    }, 'Erro ao enviar e-mail');
    setSending(false);
  };

  if (isSent)
    return (
      <MailedCode
        email={email}
        title="Entre com o código"
        onResend={ask}
        onBack={onBack}
        back="Usar senha"
        onDone={() => toast.success('Login realizado com sucesso!')}
      />
    );

  return (
    <>
      <h2 className={classes.step}>Muitas tentativas com senha errada</h2>
      <p className={classes.hint}>
        Para proteger a sua conta, o login com senha está bloqueado neste aparelho por enquanto. Entre com um
        código enviado para <strong className={classes.address}>{email}</strong>.
      </p>
      <div className={classes.stack}>
        <Button loading={sending} onClick={() => void begin()}>
          Enviar código
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Voltar
        </Button>
      </div>
    </>
  );
}
