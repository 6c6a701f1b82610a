import { Button } from '@mantine/core';
import type { ToldAnswer, ToldContact } from '../../../backend/modules/told-contacts/told-contacts.api.js';
import { formatPhone } from '../../../backend/modules/students/phone-format.api.js';
import { firstName } from '../../../backend/platform/first-name.api.js';
import { useSend } from '../lib/command.js';
import { Card } from '../ui/card.js';
import { attempt, toast } from '../ui/toast.js';
import classes from './told-question.module.css';

/** Answers a question about what a student told; the toast undoes it. */
export function useAnswerTold({ id, campo, valor }: Pick<ToldContact, 'id' | 'campo' | 'valor'>) {
  const { mutateAsync, isPending } = useSend('PUT /students/:id/told-contact', id);
  const send = (resposta: ToldAnswer['resposta']) => mutateAsync({ campo, valor, resposta });
  const answer = (resposta: 'atualizar' | 'manter') =>
    attempt(async () => {
      await send(resposta);
      toast.success(resposta === 'atualizar' ? 'Cadastro atualizado' : 'Cadastro mantido', {
        undo: () => attempt(() => send('perguntar'), 'Erro ao desfazer'),
        undone: resposta === 'atualizar' ? 'Atualização desfeita' : 'A pergunta voltou',
      });
    }, 'Erro ao responder');
  return { answer, isPending };
}

/** The questions, one below the other. */
export const ToldQuestions = ({ of }: { of: readonly ToldContact[] }) => (
  <div className={classes.questions}>
    {of.map((told) => (
      <Card key={told.id + told.campo}>
        <ToldQuestion told={told} />
      </Card>
    ))}
  </div>
);

/** "Ana mudou o WhatsApp para (21) 98765-4321: atualizar?" */
function ToldQuestion({ told }: { told: ToldContact }) {
  const { answer, isPending } = useAnswerTold(told);
  const { nome, campo, valor, atual } = told;
  const isName = campo === 'nome';
  return (
    <section className={classes.question} aria-label={`${isName ? 'Nome' : 'WhatsApp'} que o aluno informou`}>
      <p className={classes.asked}>
        {firstName(nome)} mudou o {isName ? 'nome' : 'WhatsApp'} para{' '}
        <strong>{isName ? valor : formatPhone(valor)}</strong>: atualizar?
      </p>
      {!isName && atual && <p className={classes.now}>No cadastro: {formatPhone(atual)}</p>}
      <div className={classes.answers}>
        <Button size="sm" disabled={isPending} onClick={() => void answer('atualizar')}>
          Atualizar
        </Button>
        <Button size="sm" variant="default" disabled={isPending} onClick={() => void answer('manter')}>
          Manter
        </Button>
      </div>
    </section>
  );
}
