/** An app for the command's tests: asks each question that it is given, at the base URL of its environment. */
const base = process.env.GOOGLE_GEMINI_BASE_URL
for (const text of process.argv.slice(2)) {
  const response = await fetch(`${base}/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': process.env.GEMINI_API_KEY ?? '' },
    body: JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] }),
  })
  console.log(response.status, JSON.stringify(await response.text()))
}
