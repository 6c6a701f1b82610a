import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  accountDeletion,
  DELETION_WORD,
  type DeletionPreview,
} from '../../../../backend/modules/accounts/own-data/own-data.api.js';
import { useBodyForm } from '../../lib/form.js';
import { Consequences } from '../../ui/consequences.js';
import { FormStack, submitting } from '../../ui/form.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { noProof, useAccountProof } from './account-proof.js';
import { useDeleteAccount, useDeletionPreview } from './own-data.queries.js';
import { leaveDeleted } from './sign-out.js';

/** The link that begins the deletion of the account. */
export function DeleteAccount() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" c="var(--rende-bad)" onClick={() => setOpened(true)}>
        Excluir minha conta
      </Button>
      <Sheet opened={opened} onClose={() => setOpened(false)} title="Excluir minha conta" withoutAddress>
        <Preview onClose={() => setOpened(false)} />
      </Sheet>
    </>
  );
}

function Preview({ onClose }: { onClose: () => void }) {
  const preview = useDeletionPreview();
  return (
    <Async of={preview} skeleton={<Skeletons count={4} />}>
      {(data) => <Confirmation preview={data} onClose={onClose} />}
    </Async>
  );
}

interface ConfirmationProps {
  preview: DeletionPreview;
  onClose: () => void;
}

function Confirmation({ preview, onClose }: ConfirmationProps) {
  const { toProof, fields } = useAccountProof(preview);
  const { mutateAsync } = useDeleteAccount();
  const form = useBodyForm({
    initialValues: { ...noProof, confirmacao: '' },
    schema: accountDeletion,
    toBody: ({ confirmacao, ...proof }) => ({ confirmacao, ...toProof(proof) }),
  });

  return (
    <FormStack
      form={form}
      onSubmit={submitting(form, {
        failure: 'Erro ao excluir a conta',
        save: async (body) => {
          await mutateAsync(body);
          await leaveDeleted();
          toast.success('Conta excluída');
        },
      })}
    >
      <Consequences
        warning="Não dá para desfazer: ninguém consegue recuperar a conta."
        items={consequencesOf(preview)}
      />
      {fields(form)}
      <TextInput
        label={`Para confirmar, digite ${DELETION_WORD}`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.getInputProps('confirmacao')}
      />
      <SheetActions onBack={onClose}>
        <Button type="submit" color="red" loading={form.submitting}>
          Excluir para sempre
        </Button>
      </SheetActions>
    </FormStack>
  );
}

const together = new Intl.ListFormat('pt-BR');

/** What happens to which data, shown before the only step of the account that cannot be undone. */
function consequencesOf({ negocios, personais }: DeletionPreview): (readonly [string, string])[] {
  const students = negocios.reduce((sum, { alunos }) => sum + alunos, 0);
  return [
    ['Antes', 'Exporte seus dados, se quiser guardar uma cópia.'],
    [
      'Será apagado',
      'Seu cadastro, seu e-mail, seus acessos e suas cópias de dados, na hora, inclusive nos backups.',
    ],
    ...(negocios.length > 0
      ? ([
          [
            'Será apagado',
            `Tudo o que identifica ${peopleIn(students)}: nomes, telefones, anotações, locais, nomes de planos e o que você escreveu em lançamentos.`,
          ],
          ['Alunos', 'Perdem o acesso à área do aluno. A conta que cada um criou continua sendo dele.'],
          [
            'Será mantido',
            'Valores, datas e quantidades, sem nenhum nome: o registro não pode ser alterado.',
          ],
          ['Será mantido', 'O que a lei manda guardar (recibos e contratos assinados), até o fim do prazo.'],
        ] as const)
      : []),
    ...personais.map(
      ({ nome, alunos }) =>
        [
          'Será mantido',
          alunos.length > 1
            ? `O que ${nome} anotou sobre ${together.format(alunos)}, as sessões e os créditos. Para apagar, fale com ${nome}.`
            : `O que ${nome} anotou sobre você, suas sessões e seus créditos. Para apagar, fale com ${nome}.`,
        ] as const,
    ),
    ['Depois', 'Você pode criar outra conta com o mesmo e-mail e CPF, mas ela começa vazia.'],
  ];
}

function peopleIn(students: number): string {
  if (students === 0) return 'o seu negócio';
  return students === 1 ? 'o seu aluno' : `os seus ${students} alunos`;
}
