import { NativeSelect } from '@mantine/core';
import type { Sharing } from '../../../../backend/modules/advisor/sharing.api.js';
import { useSend } from '../../lib/command.js';
import { Card } from '../../ui/card.js';
import { Section } from '../../ui/page.js';
import { takenBack, toast } from '../../ui/toast.js';
import { useSharing } from './sharing.queries.js';

const choices: Record<Sharing, { label: string; means: string }> = {
  nada: {
    label: 'Não usar o servidor de IA',
    means: 'Nada é enviado. O consultor responde por conta própria às perguntas mais comuns.',
  },
  sem_nomes: {
    label: 'Usar sem nomes de alunos',
    means:
      'São enviados a conversa e os valores da resposta: quanto entrou e saiu, quem deve, créditos, agenda. Cada aluno vai como “Aluno A”.',
  },
  com_nomes: {
    label: 'Usar com nomes de alunos',
    means:
      'São enviados a conversa e os valores da resposta: quanto entrou e saiu, quem deve, créditos, agenda, com os nomes dos alunos.',
  },
};

const HELD_BACK =
  'Telefones, e-mails e CPFs são removidos da pergunta; descrições e anotações nunca são lidas.';

/** The choice of data for the language model, saved at once; renders nothing if no model is configured. */
export function SharingSection() {
  const { data } = useSharing();
  const { mutateAsync, isPending } = useSend('PUT /settings/advisor');
  if (!data?.servidor) return null;
  const { envio: before, servidor } = data;

  const choose = async (envio: Sharing) => {
    try {
      await mutateAsync({ envio });
      toast.success(
        'Configurações salvas',
        takenBack(() => mutateAsync({ envio: before, se_ainda: { envio } })),
      );
    } catch {
      toast.error('Erro ao salvar', { description: 'Não foi possível salvar as configurações.' });
    }
  };

  return (
    <Section title="Consultor Financeiro">
      <Card>
        <NativeSelect
          label={`Servidor de IA em ${servidor}`}
          description={before === 'nada' ? choices.nada.means : `${choices[before].means} ${HELD_BACK}`}
          inputWrapperOrder={['label', 'input', 'description']}
          data={Object.entries(choices).map(([value, { label }]) => ({ value, label }))}
          value={before}
          disabled={isPending}
          onChange={({ currentTarget }) => void choose(currentTarget.value as Sharing)}
        />
      </Card>
    </Section>
  );
}
