import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { auth } from '../../lib/auth.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { FactorCodeField } from './factor-code.js';
import { wordsOfCode } from './refusals.js';

/** Codes on paper are counted apart. */
const TOO_OFTEN = 'Muitas tentativas. Use um código de recuperação ou aguarde um pouco.';

/** What is asked for after the password where somebody has an authenticator app. */
export function SecondFactorForm() {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const verify = async () => {
    setBusy(true);
    const { mfa } = await auth();
    const factors = await mfa.listFactors();
    const factorId = factors.data?.totp[0]?.id;
    const failure = factorId
      ? (await mfa.challengeAndVerify({ factorId, code: code.trim() })).error
      : (factors.error ?? new Error('no factor'));
    setBusy(false);
    if (failure) {
      const refused = (failure as { code?: string }).code ?? '';
      const known = refused === 'over_request_rate_limit' ? TOO_OFTEN : wordsOfCode(refused);
      if (known) setError(known);
      else toast.error('Erro ao fazer login. Tente novamente.');
    } else {
      toast.success('Login realizado com sucesso!');
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') setError('Informe o código');
    else void verify();
  };

  return (
    <>
      <h2 className={classes.step}>Confirme que é você</h2>
      <p className={classes.hint}>Digite o código do seu aplicativo autenticador.</p>
      <form className={classes.form} onSubmit={submit} noValidate>
        <FactorCodeField
          description="Sem o celular? Digite um dos seus códigos de recuperação."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoFocus
          value={code}
          error={error}
          onChange={({ currentTarget }) => {
            setCode(currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" loading={busy}>
          Confirmar
        </Button>
        <Button
          variant="subtle"
          onClick={() => void auth().then((client) => client.signOut({ scope: 'local' }))}
        >
          Usar outra conta
        </Button>
      </form>
    </>
  );
}
