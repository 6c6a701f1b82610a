import { Button } from '@mantine/core';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { useBodyForm } from '../../lib/form.js';
import { codeOf } from '../../lib/problem.js';
import { FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import classes from './auth-page.module.css';
import { FactorCodeField, factorCode, showFactor } from './factor-code.js';
import { PasskeyProof } from './passkey-buttons.js';

const ENTERED = 'Login realizado com sucesso!';
/** Suggests a recovery code, since these have a separate limit. */
const TOO_OFTEN = 'Muitas tentativas. Use um código de recuperação ou aguarde um pouco.';

/** The code of the authenticator app, asked for after the password, or a passkey in its place. */
export default function SecondFactorForm() {
  const form = useBodyForm({ initialValues: { code: '' }, schema: factorCode, toBody: (values) => values });

  const verify = async (code: string) => {
    const client = await auth();
    const { totp } = await answered(client.mfa.listFactors());
    // If the factor was removed on another device meanwhile, the password is enough.
    await (totp[0] ? showFactor(totp[0].id, code) : answered(client.refreshSession()));
    toast.success(ENTERED);
  };

  return (
    <>
      <h2 className={classes.step}>Confirme que é você</h2>
      <p className={classes.hint}>Digite o código do seu aplicativo autenticador.</p>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: ({ code }) => verify(code),
          failure: 'Erro ao fazer login. Tente novamente.',
          says: (error) => (codeOf(error) === 'over_request_rate_limit' ? TOO_OFTEN : undefined),
        })}
      >
        <FactorCodeField
          description="Sem o celular? Digite um dos seus códigos de recuperação."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoFocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={form.submitting}>
          Confirmar
        </Button>
        <PasskeyProof onProved={() => toast.success(ENTERED)} />
        <Button
          variant="subtle"
          onClick={() => void auth().then((client) => client.signOut({ scope: 'local' }))}
        >
          Usar outra conta
        </Button>
      </FormStack>
    </>
  );
}
