import { expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { createRef } from 'react';
import { open } from '../../../spec/screen.js';
import { MonthChoice } from './finance-page.js';

const chosenBy = async (month: string, x: number, y = 10) => {
  const onChange = jest.fn();
  open(
    <MonthChoice month={month} today="2026-11-28" select={createRef()} onChange={onChange}>
      <p>valores</p>
    </MonthChoice>,
  );
  const figures = await screen.findByText('valores');
  fireEvent.touchStart(figures, { touches: [{ clientX: 200, clientY: 100 }] });
  fireEvent.touchEnd(figures, { changedTouches: [{ clientX: 200 + x, clientY: 100 + y }] });
  return onChange.mock.calls;
};

it.each([
  ['to the left shows the next month', '2026-12', -90, 10, [['2027-01']]],
  ['to the right shows the previous month', '2026-12', 90, 10, [['2026-11']]],
  ['after the last month stays', '2027-12', -90, 10, []],
  ['before the first month stays', '2023-01', 90, 10, []],
  ['downwards scrolls', '2026-12', -90, 80, []],
])('a swipe %s', async (_, month, x, y, chosen) => {
  expect(await chosenBy(month, x, y)).toEqual(chosen);
});
