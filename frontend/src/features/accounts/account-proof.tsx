import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type {
  NeededProof,
  PersonProof as Proof,
} from '../../../../backend/modules/accounts/own-data/own-data.api.js';
import { PersonProof } from './person-proof.js';

export const noProof = { senha: '', codigo_email: '', codigo_app: '' };

type Field = keyof typeof noProof;

interface ProofForm {
  getInputProps: (field: Field) => object;
}

/** The fields that prove the owner's identity before all data is deleted or exported: for a form of `noProof` and more. */
export function useAccountProof({ senha: hasPassword, segundo_fator }: NeededProof) {
  const [byMail, setByMail] = useState(!hasPassword);
  const toProof = ({ senha, codigo_email, codigo_app }: typeof noProof): Proof => ({
    ...(byMail ? { codigo_email: codigo_email.trim() } : { senha }),
    ...(segundo_fator && { codigo_app: codigo_app.trim() }),
  });
  const fields = (form: ProofForm) => (
    <>
      <PersonProof
        byMail={byMail}
        onByMail={() => setByMail(true)}
        password={form.getInputProps('senha')}
        code={form.getInputProps('codigo_email')}
      />
      {segundo_fator && (
        <TextInput
          label="Código do aplicativo autenticador"
          description="Ou um dos seus códigos de recuperação"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="one-time-code"
          spellCheck={false}
          {...form.getInputProps('codigo_app')}
        />
      )}
    </>
  );
  return { toProof, fields };
}
