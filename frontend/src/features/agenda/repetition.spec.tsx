import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { button, field, open } from '../../../spec/screen.js';
import { once, RepetitionFields } from './repetition.js';

function Fields() {
  const [repetition, setRepetition] = useState(once);
  return <RepetitionFields day="2026-11-26" value={repetition} errors={{}} onChange={setRepetition} />;
}

it('an invalid last day shows an error when its field is left, until it is edited', async () => {
  const user = open(<Fields />);
  await user.click(await button('Toda semana'));
  await user.selectOptions(await field('Termina'), 'Em uma data');
  const until = await field('Até');
  await user.click(until);
  await user.tab();
  expect(until.getAttribute('aria-invalid')).not.toBe('true');
  await user.type(until, '31/02/2030');
  expect(screen.queryByText('Informe o dia como 25/12/2026')).toBeNull();
  await user.tab();
  await screen.findByText('Informe o dia como 25/12/2026');
  await user.clear(until);
  await user.type(until, '28/02/2030');
  await user.tab();
  expect(screen.queryByText('Informe o dia como 25/12/2026')).toBeNull();
});
