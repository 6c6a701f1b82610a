import { useEffect } from 'react';
import './print.css';

/** Prints in the light colours, also from the dark theme. */
export function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let shown = dataset.mantineColorScheme;
    const before = () => {
      shown = dataset.mantineColorScheme;
      dataset.mantineColorScheme = 'light';
    };
    const after = () => {
      if (shown) dataset.mantineColorScheme = shown;
    };
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
}
