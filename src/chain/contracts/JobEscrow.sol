// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {HirePayment} from "./HirePayment.sol";

/// @title Job escrow after ERC-8183 (Agentic Commerce), without hooks
/// @notice Holds the budget of a job until its evaluator completes or rejects it, or until it expires.
/// @dev One token, one fee, one treasury, all fixed at deployment; nobody can pause or upgrade it, or take
/// what belongs to a job.
///
/// Where this contract decides what ERC-8183 leaves open:
/// - Only a zero hook is taken; the optional bytes of each call are ignored.
/// - `claimRefund` is open to anyone. A submitted job waits for `max(expiredAt, submittedAt + EVALUATION_GRACE)`, so
///   that work handed in a second before expiry can still be judged. Work is refused from `expiredAt` on, so the money
///   of any job is refundable at the latest at `expiredAt + EVALUATION_GRACE`, whatever provider and evaluator do.
/// - An evaluator may still complete or reject after expiry, as long as nobody claimed the refund.
/// - The description lives in an event only; `getJob` answers with an empty one.
/// - A treasury that the token refuses holds up no provider: the fee stays here until `withdrawFees` succeeds.
///
/// Tokens that take a fee on transfer are refused when a job is funded. Tokens that rebase must not be used.
contract JobEscrow is HirePayment, Multicall, ReentrancyGuardTransient {
    using Math for uint256;
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    /// @dev Three storage slots a job.
    struct Escrow {
        address client;
        uint40 expiredAt;
        uint40 submittedAt;
        JobStatus status;
        address provider;
        uint96 budget;
        address evaluator;
    }

    uint256 public constant MAX_FEE_BPS = 1_000;
    uint256 public constant MIN_LIFETIME = 5 minutes;
    uint256 public constant MAX_LIFETIME = 365 days;
    uint256 public constant EVALUATION_GRACE = 1 hours;
    uint256 private constant ALL_BPS = 10_000;

    address public immutable treasury;
    /// @notice Part of the budget that goes to the treasury on completion, in basis points.
    uint16 public immutable feeBps;

    /// @notice Sum of the budgets of all funded and submitted jobs. The contract never holds less than this.
    uint128 public escrowed;
    /// @notice Number of jobs created; ids run from 1 to this number.
    uint128 public jobCount;
    /// @notice Fees that the treasury could not be paid. They are held beside the escrowed budgets.
    uint256 public unpaidFees;

    mapping(uint256 jobId => Escrow) private _jobs;

    constructor(IERC20 token, address treasury_, uint16 feeBps_) HirePayment(token) {
        require(treasury_ != address(0) && treasury_ != address(this), BadTreasury(treasury_));
        require(feeBps_ <= MAX_FEE_BPS, FeeTooHigh(feeBps_));
        treasury = treasury_;
        feeBps = feeBps_;
    }

    // ------------------------------------------------------------------ agreeing

    /// @notice Creates an open job of the caller. `provider` may be zero and set later.
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external nonReentrant returns (uint256 jobId) {
        require(hook == address(0), HookUnsupported(hook));
        jobId = _create(HireTerms(msg.sender, provider, evaluator, expiredAt, description, 0, 0), JobStatus.Open);
    }

    /// @notice Names the provider of an open job that has none. By the client.
    function setProvider(uint256 jobId, address provider, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider == address(0), ProviderAlreadySet(jobId));
        require(provider != address(0), ProviderMissing());
        require(provider != job.evaluator, ProviderIsEvaluator());
        job.provider = provider;
        emit ProviderSet(jobId, provider);
    }

    /// @notice Names the price of an open job. By the client or the provider.
    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        require(msg.sender == job.client || msg.sender == job.provider, Unauthorized(msg.sender));
        job.budget = amount.toUint96();
        emit BudgetSet(jobId, amount);
    }

    // ------------------------------------------------------------------ paying in

    /// @notice Takes the budget from the client by allowance. `expectedBudget` guards against a price changed meanwhile.
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Open);
        uint256 budget = job.budget;
        require(msg.sender == job.client, Unauthorized(msg.sender));
        require(job.provider != address(0), ProviderMissing());
        require(budget == expectedBudget, BudgetMismatch(budget, expectedBudget));
        require(budget > 0, BudgetMissing());
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Funded;
        _countFunded(jobId, msg.sender, budget);
        _payByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job of the caller in one transaction, by allowance.
    function createAndFund(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        uint256 budget
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(HireTerms(msg.sender, provider, evaluator, expiredAt, description, budget, 0));
        _payByAllowance(msg.sender, budget);
    }

    /// @notice Creates, prices and funds a job of `terms.client` with a signed EIP-3009 ReceiveWithAuthorization
    /// (to this contract, value `terms.budget`, validAfter 0, nonce `hireNonce(terms)`). Anyone may send it: the nonce
    /// binds the signature to the terms, and the token takes each nonce once.
    function createAndFundWithAuthorization(
        HireTerms calldata terms,
        uint256 validBefore,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(terms);
        _payByAuthorization(terms, validBefore, v, r, s);
    }

    /// @notice Creates, prices and funds a job of `terms.client` with a signed Permit2 transfer (to this contract, of
    /// `terms.budget`, nonce `terms.salt`, witness `terms`). Anyone may send it: what the client signed are the terms.
    function createAndFundWithPermit2(
        HireTerms calldata terms,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant returns (uint256 jobId) {
        jobId = _createFunded(terms);
        _payByPermit(terms, deadline, signature);
    }

    // ------------------------------------------------------------------ working and judging

    /// @notice Hands in the work as a hash. By the provider, before expiry.
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Funded);
        require(msg.sender == job.provider, Unauthorized(msg.sender));
        require(block.timestamp < job.expiredAt, PastExpiry(jobId));
        job.status = JobStatus.Submitted;
        job.submittedAt = uint40(block.timestamp);
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    /// @notice Pays the provider, less the fee. By the evaluator.
    function complete(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _jobIn(jobId, JobStatus.Submitted);
        require(msg.sender == job.evaluator, Unauthorized(msg.sender));
        (address provider, uint256 budget) = (job.provider, job.budget);
        uint256 fee = (budget * feeBps) / ALL_BPS;
        job.status = JobStatus.Completed;
        escrowed -= uint128(budget);
        emit JobCompleted(jobId, msg.sender, reason);
        emit PaymentReleased(jobId, provider, budget - fee);
        paymentToken.safeTransfer(provider, budget - fee);
        if (fee > 0 && !paymentToken.trySafeTransfer(treasury, fee)) {
            unpaidFees += fee;
            emit FeeUnpaid(jobId, fee);
        }
    }

    /// @notice Pays the treasury what the token refused it before. By anyone.
    function withdrawFees() external nonReentrant {
        uint256 amount = unpaidFees;
        unpaidFees = 0;
        emit FeesWithdrawn(amount);
        paymentToken.safeTransfer(treasury, amount);
    }

    /// @notice Closes an open job (by the client), or returns the money of a running one (by the evaluator).
    function reject(uint256 jobId, bytes32 reason, bytes calldata) external nonReentrant {
        Escrow storage job = _job(jobId);
        JobStatus status = job.status;
        require(status <= JobStatus.Submitted, WrongStatus(jobId, status));
        bool isOpen = status == JobStatus.Open;
        require(msg.sender == (isOpen ? job.client : job.evaluator), Unauthorized(msg.sender));
        job.status = JobStatus.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        if (!isOpen) _refund(jobId, job);
    }

    /// @notice Returns the money of a job that was funded and ran out of time. By anyone.
    function claimRefund(uint256 jobId) external nonReentrant {
        uint256 from = refundableAt(jobId);
        require(block.timestamp >= from, NotRefundableYet(jobId, from));
        Escrow storage job = _jobs[jobId];
        job.status = JobStatus.Expired;
        emit JobExpired(jobId);
        _refund(jobId, job);
    }

    // ------------------------------------------------------------------ reading

    function getJob(uint256 jobId) external view returns (Job memory) {
        Escrow storage job = _job(jobId);
        return
            Job({
                id: jobId,
                client: job.client,
                provider: job.provider,
                evaluator: job.evaluator,
                description: "",
                budget: job.budget,
                expiredAt: job.expiredAt,
                status: job.status,
                hook: address(0),
                submittedAt: job.submittedAt
            });
    }

    /// @notice From when `claimRefund` succeeds, in seconds. Reverts for jobs that hold no money.
    function refundableAt(uint256 jobId) public view returns (uint256) {
        Escrow storage job = _job(jobId);
        (JobStatus status, uint256 expiredAt) = (job.status, job.expiredAt);
        if (status == JobStatus.Funded) return expiredAt;
        require(status == JobStatus.Submitted, WrongStatus(jobId, status));
        return Math.max(expiredAt, job.submittedAt + EVALUATION_GRACE);
    }

    // ------------------------------------------------------------------ inside

    function _createFunded(HireTerms memory terms) private returns (uint256 jobId) {
        require(terms.provider != address(0), ProviderMissing());
        require(terms.budget > 0, BudgetMissing());
        jobId = _create(terms, JobStatus.Funded);
        emit BudgetSet(jobId, terms.budget);
        _countFunded(jobId, terms.client, terms.budget);
    }

    function _create(HireTerms memory terms, JobStatus status) private returns (uint256 jobId) {
        require(terms.evaluator != address(0), EvaluatorMissing());
        require(terms.provider != terms.evaluator, ProviderIsEvaluator());
        uint256 lifetime = terms.expiredAt.saturatingSub(block.timestamp);
        require(lifetime > MIN_LIFETIME && lifetime <= MAX_LIFETIME, ExpiryOutOfRange(terms.expiredAt));
        jobId = ++jobCount;
        _jobs[jobId] = Escrow({
            client: terms.client,
            expiredAt: uint40(terms.expiredAt),
            submittedAt: 0,
            status: status,
            provider: terms.provider,
            budget: terms.budget.toUint96(),
            evaluator: terms.evaluator
        });
        emit JobCreated(jobId, terms.client, terms.provider, terms.evaluator, terms.expiredAt);
        emit JobDescribed(jobId, terms.description);
    }

    function _countFunded(uint256 jobId, address client, uint256 budget) private {
        escrowed += uint128(budget);
        emit JobFunded(jobId, client, budget);
    }

    function _refund(uint256 jobId, Escrow storage job) private {
        (address client, uint256 budget) = (job.client, job.budget);
        escrowed -= uint128(budget);
        emit Refunded(jobId, client, budget);
        paymentToken.safeTransfer(client, budget);
    }

    function _job(uint256 jobId) private view returns (Escrow storage job) {
        job = _jobs[jobId];
        require(job.client != address(0), JobNotFound(jobId));
    }

    function _jobIn(uint256 jobId, JobStatus status) private view returns (Escrow storage job) {
        job = _job(jobId);
        require(job.status == status, WrongStatus(jobId, job.status));
    }
}
