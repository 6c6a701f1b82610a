import { useState } from 'react';
import * as z from 'zod/mini';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';
import { useBodyForm } from '../../lib/form.js';
import { useProfile } from '../../parts/profile.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import classes from './account.module.css';
import { PasskeyProof } from './passkey-buttons.js';
import { PersonProof, proofFields } from './person-proof.js';

/** Asks for a proof of identity if the last sign-in is not recent. */
export function ProvePerson({ onProved }: { onProved: () => Promise<unknown> }) {
  const profile = useProfile();
  return (
    <Async of={profile} skeleton={<Skeletons count={1} height={120} />}>
      {({ tem_senha }) => <ProofForm hasPassword={tem_senha} onProved={onProved} />}
    </Async>
  );
}

interface ProofFormProps {
  hasPassword: boolean;
  onProved: () => Promise<unknown>;
}

function ProofForm({ hasPassword, onProved }: ProofFormProps) {
  const [byMail, setByMail] = useState(!hasPassword);
  const form = useBodyForm({
    initialValues: { current_password: '', nonce: '' },
    schema: z.object(proofFields),
    toBody: ({ current_password, nonce }) => (byMail ? { nonce: nonce.trim() } : { current_password }),
  });
  return (
    <form
      noValidate
      onSubmit={submitting(form, {
        failure: 'Erro ao confirmar',
        save: async ({ current_password, nonce }) => {
          await answered(
            (await auth()).updateUser({
              ...(current_password && { current_password }),
              ...(nonce && { nonce }),
            }),
          );
          await onProved();
        },
      })}
    >
      <p className={classes.text}>Antes, confirme que é você.</p>
      <PersonProof
        byMail={byMail}
        onByMail={() => setByMail(true)}
        password={form.getInputProps('current_password')}
        code={form.getInputProps('nonce')}
      />
      <PasskeyProof onProved={onProved} />
      <SheetActions>
        <SaveButton busy={form.submitting}>Continuar</SaveButton>
      </SheetActions>
    </form>
  );
}
