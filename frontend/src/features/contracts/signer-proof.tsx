import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { byLinkAndCpf, type Signable } from '../../../../backend/modules/contracts/contracts.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { CpfField } from '../../ui/fields.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Notice } from '../../ui/notice.js';
import { signedByLink } from './contracts.queries.js';
import { exactMoment } from './moment.js';
import { unsignable } from './unsignable.js';

interface SignerProofProps {
  token: string;
  estado: Signable['estado'];
  proof: NonNullable<Signable['prova']>;
  onShown: (cpf: string) => void;
}

/** Asks for the signer's CPF before a link shows what was signed. */
export function SignerProof({ token, estado, proof, onShown }: SignerProofProps) {
  const client = useQueryClient();
  const form = useBodyForm({
    initialValues: { cpf: '' },
    schema: byLinkAndCpf,
    toBody: ({ cpf }) => ({ token, cpf }),
  });
  const closed = unsignable(estado, false);
  const wishes = proof.desistir_ate ? 'ler o texto, baixar o PDF ou desistir' : 'ler o texto e baixar o PDF';
  return (
    <Card>
      <Notice icon={closed?.icon ?? 'check'} title={closed?.title ?? 'Contrato assinado'}>
        {closed?.way} Assinado em {exactMoment(proof.assinado_em)}. Para {wishes}, informe o CPF de quem
        assinou.
      </Notice>
      <FormStack
        form={form}
        onSubmit={submitting(form, {
          save: async ({ cpf }) => {
            await client.fetchQuery(signedByLink(token, cpf));
            onShown(cpf);
          },
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
