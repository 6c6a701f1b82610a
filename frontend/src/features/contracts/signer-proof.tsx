import { Button } from '@mantine/core';
import {
  byLinkAndCpf,
  type Signable,
  WITHDRAWAL_DAYS,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { CpfField } from '../../ui/fields.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Notice } from '../../ui/notice.js';
import { readWithCpf } from './contracts.queries.js';
import { exactMoment } from './moment.js';

interface SignerProofProps {
  token: string;
  signedAt: string;
  onShown: (cpf: string, contract: Signable) => void;
}

/** A link to what was signed some time ago: whoever has it sees the rest with the CPF of who signed. */
export function SignerProof({ token, signedAt, onShown }: SignerProofProps) {
  const form = useBodyForm({
    initialValues: { cpf: '' },
    schema: byLinkAndCpf,
    toBody: ({ cpf }) => ({ token, cpf }),
  });
  return (
    <Card>
      <Notice icon="check" title="Contrato assinado">
        Assinado em {exactMoment(signedAt)}. Depois de {WITHDRAWAL_DAYS} dias, o link mostra o texto e o PDF
        só com o CPF de quem assinou.
      </Notice>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async ({ cpf }) => onShown(cpf, await readWithCpf(token, cpf)),
          failure: 'Erro ao abrir o contrato',
        })}
      >
        <CpfField label="CPF de quem assinou *" {...form.getInputProps('cpf')} />
        <Button type="submit" loading={form.submitting}>
          Ver contrato
        </Button>
      </FormStack>
    </Card>
  );
}
