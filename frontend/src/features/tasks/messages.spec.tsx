import { expect, it } from '@jest/globals';
import { Button } from '@mantine/core';
import { button, field, open, said, TROUBLE } from '../../../spec/screen.js';
import type { ShownTask } from './pending-task.js';
import { EditTaskForm, NewTaskForm } from './task-form.js';
import { useTaskActions } from './use-task-actions.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a15';
const task = {
  id: ID,
  titulo: 'Comprar elásticos',
  descricao: null,
  data_vencimento: null,
  hora: null,
  repeticao: 'nao_se_repete',
  list_id: null,
} as ShownTask;
const nothing = () => undefined;

it('a task is created', async () => {
  const user = open(<NewTaskForm day={null} listId={null} onDone={nothing} />, {
    answers: { 'POST /tasks': { id: ID } },
  });
  await user.type(await field('Título'), 'Comprar elásticos');
  await user.click(await button('Criar tarefa'));
  expect(await said()).toEqual(['Tarefa criada com sucesso!', 'Comprar elásticos']);
});

it.each<[string, unknown, [string, string?]]>([
  ['is changed', { id: ID }, ['Tarefa atualizada com sucesso!']],
  ['cannot be changed', TROUBLE, ['Erro ao atualizar tarefa', 'Ocorreu um erro inesperado.']],
])('a task %s', async (_, answer, words) => {
  const user = open(<EditTaskForm task={task} onDone={nothing} />, {
    answers: { [`PATCH /tasks/${ID}`]: answer },
  });
  await user.type(await field('Título'), ' novos');
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(words);
});

function Removal() {
  const { remove } = useTaskActions();
  return <Button onClick={() => void remove(task)}>Excluir</Button>;
}

it.each<[string, unknown, [string, string?]]>([
  ['is removed', { id: ID }, ['Tarefa excluída com sucesso!']],
  // The specification has no message for this case.
  ['cannot be removed', TROUBLE, ['Erro ao excluir tarefa', 'Ocorreu um erro inesperado.']],
])('a task %s', async (_, answer, words) => {
  const user = open(<Removal />, { answers: { [`DELETE /tasks/${ID}`]: answer } });
  await user.click(await button('Excluir'));
  expect(await said()).toEqual(words);
});
