/** The page's address as a browser is opened with it: the server exchanges the token for a cookie at once. */
export function pageAddress({ url, token }: { readonly url: string; readonly token?: string }) {
  return `${url}/${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`
}
