# A four-bar from Julia. Run: BIELA=path/to/libbiela_c.so julia four_bar.jl path/to/four-bar.toml
const biela = ENV["BIELA"]

must(status) = status == 0 || error(unsafe_string(@ccall biela.biela_error_text()::Cstring))

model = Ref{Ptr{Cvoid}}()
must(@ccall biela.biela_open(ARGS[1]::Cstring, model::Ptr{Ptr{Cvoid}})::Int32)

results = Ref{Ptr{Cvoid}}()
must(@ccall biela.biela_run(model[]::Ptr{Cvoid}, "rocker.*"::Cstring, results::Ptr{Ptr{Cvoid}})::Int32)
rows = @ccall biela.biela_run_rows(results[]::Ptr{Cvoid})::Csize_t
for k in 0:(@ccall biela.biela_run_columns(results[]::Ptr{Cvoid})::Csize_t)-1
    column = Vector{Float64}(undef, rows)
    must(@ccall biela.biela_run_copy(results[]::Ptr{Cvoid}, k::Csize_t, column::Ptr{Float64}, rows::Csize_t)::Int32)
    name = unsafe_string(@ccall biela.biela_run_name(results[]::Ptr{Cvoid}, k::Csize_t)::Cstring)
    println(name, ": ", minimum(column), " to ", maximum(column))
end
@ccall biela.biela_run_free(results[]::Ptr{Cvoid})::Cvoid
@ccall biela.biela_free(model[]::Ptr{Cvoid})::Cvoid
