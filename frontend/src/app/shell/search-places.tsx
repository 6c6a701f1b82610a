import type { ComponentProps } from 'react';
import { SearchSheet } from '../../features/search/search-sheet.js';
import { actions, pages } from './places.js';

/** The search over everything, which knows the pages too. */
export default function SearchPlaces(props: Omit<ComponentProps<typeof SearchSheet>, 'pages' | 'actions'>) {
  return <SearchSheet {...props} pages={pages} actions={actions} />;
}
